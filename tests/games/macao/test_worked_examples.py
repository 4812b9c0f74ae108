"""Positions of Shadows of Macao that are laid out by hand, and what the rules say about them."""

from collections.abc import Iterable

import pytest

from p2p_shanghaien.errors import Illegal
from p2p_shanghaien.games.api import Acted, Chance, Terminal, Turn
from p2p_shanghaien.games.macao.deck import reconstruction
from p2p_shanghaien.games.macao.happenings import Discarded, Opened, Recruited, RoundBegan, Taken, TurnedUp
from p2p_shanghaien.games.macao.payments import means, payments, reduced, shortage
from p2p_shanghaien.games.macao.rules import Phase, Pile, Side, State, happenings, start
from tests.games.macao.plain import RECONSTRUCTION, Table
from tests.sweeps import together

DECK = reconstruction()


def side(blue: str = "", red: str = "", *, dead: int = 0, reserved: str = "", opened: str = "") -> Side:
    """Return a side with these cards and tiles, names between spaces."""
    names = (tuple(DECK.in_order(each.split())) for each in (blue, red, reserved, opened))
    blues, reds, reserved_, opened_ = names
    return Side(blues, dead, reds, reserved_, opened_)


def pile(top: str = "sailor-j", unseen: int = 0, known: str = "") -> Pile:
    return Pile(top, unseen, tuple(known.split()))


def position(
    own: Side,
    other: Side | None = None,
    *,
    player: int = 0,
    round_: int = 9,
    centre: str = "casino gallery",
    piles: Iterable[Pile] = (),
    unseen: str = "",
) -> State:
    """Return a position in which `player` is to act, whose side is `own`."""
    other = other or side("widow")
    return start(DECK)._replace(
        player=player,
        phase=Phase.ACTION,
        round=round_,
        sides=(own, other) if player == 0 else (other, own),
        centre=DECK.in_order(centre.split()),
        piles=tuple(piles) or (pile(), pile(), pile(), pile()),
        unseen=tuple(unseen.split()),
    )


def paying(state: State, thing: str) -> list[str]:
    """Return the payments with which `thing` can be done, as they are written."""
    found = [action.partition("=") for action in state.legal(state.player)]
    return [paid for start_, _, paid in found if start_ == thing]


# the payments of a cost by hand: each cost is that of a card or tile of the reconstruction


@together(
    ("blue", "red", "thing", "paid"),
    [
        # killer-a costs wwm
        ("killer-a trader-w sailor-w dancer-m", "", "recruit:killer-a", ["dancer-m+trader-w+sailor-w"]),
        ("killer-a trader-w dancer-m", "", "recruit:killer-a", []),
        # copies are interchangeable, and the card itself does not pay
        ("dancer-w dancer-w dancer-m sailor-j", "", "recruit:dancer-w", ["dancer-m+sailor-j"]),
        ("croupier-w killer-a sailor-a", "", "recruit:croupier-w", ["killer-a+sailor-a"]),
        ("croupier-w croupier-w killer-a sailor-a", "", "recruit:croupier-w", ["killer-a+sailor-a"]),
        # a diamond stands for any one resource
        ("dancer-a trader-w widow", "", "recruit:dancer-a", ["trader-w+widow"]),
        ("dancer-a widow widow", "", "recruit:dancer-a", ["widow+widow"]),
        ("dancer-a killer-m widow widow", "", "recruit:dancer-a", ["killer-m+widow", "widow+widow"]),
        # red cards give their resource in every payment, and no blue card is paid that can be left out
        ("dancer-a trader-w dancer-m", "killer-w", "recruit:dancer-a", ["dancer-m"]),
        ("dancer-a trader-w dancer-m", "killer-w killer-m", "recruit:dancer-a", [""]),
        ("dancer-a killer-j dancer-w", "widow", "recruit:dancer-a", ["dancer-w"]),
        ("dancer-a dancer-w widow", "widow", "recruit:dancer-a", ["dancer-w", "widow"]),
        ("croupier-w", "killer-a", "recruit:croupier-w", []),
        # a sailor gives its resource twice
        ("croupier-w", "sailor-a", "recruit:croupier-w", [""]),
        ("killer-j dancer-w", "sailor-a", "recruit:killer-j", ["dancer-w"]),
        # a trader's resources stand for each other: dancer-j costs aw, trader-a has aw
        ("dancer-j", "trader-a killer-a", "recruit:dancer-j", [""]),
        ("dancer-j killer-w", "trader-a", "recruit:dancer-j", ["killer-w"]),
        ("dancer-j killer-m", "trader-a", "recruit:dancer-j", []),
        # two traders chain: a for w for m; without one of them a is no m
        ("dancer-a", "trader-a trader-w", "recruit:dancer-a", [""]),
        ("croupier-j killer-a", "trader-a trader-w", "recruit:croupier-j", [""]),
        ("croupier-j killer-a killer-m", "trader-a", "recruit:croupier-j", []),
        ("policeman-j killer-a", "trader-a trader-w", "recruit:policeman-j", ["killer-a"]),
        # a croupier takes off a resource that is in the cost twice, each one, down to one
        ("croupier-w sailor-a", "croupier-m", "recruit:croupier-w", ["sailor-a"]),
        ("croupier-w sailor-a", "croupier-m croupier-j", "recruit:croupier-w", ["sailor-a"]),
        ("dancer-j sailor-a killer-w", "croupier-m croupier-j", "recruit:dancer-j", ["killer-w+sailor-a"]),
        ("killer-a dancer-m killer-w", "croupier-j", "recruit:killer-a", ["killer-w+dancer-m"]),
        # tiles are not reduced: gallery costs wmjjj
        (
            "killer-w dancer-m sailor-j croupier-j trader-j",
            "croupier-a",
            "open:gallery",
            ["killer-w+dancer-m+croupier-j+trader-j+sailor-j"],
        ),
        ("killer-w dancer-m sailor-j croupier-j", "croupier-a", "open:gallery", []),
        ("widow widow", "killer-w dancer-m sailor-j", "open:gallery", ["widow"]),
        ("", "killer-w dancer-m sailor-j croupier-j", "open:gallery", [""]),
    ],
)
def test_payments(blue: str, red: str, thing: str, paid: list[str]) -> None:
    assert paying(position(side(blue, red)), thing) == paid


@together(
    ("cost", "croupiers", "found"),
    [
        ("www", 0, ("www",)),
        ("www", 1, ("ww",)),
        ("www", 2, ("w",)),
        ("www", 3, ("w",)),
        ("wwm", 1, ("wm",)),
        ("wwm", 2, ("wm",)),
        ("awm", 7, ("awm",)),
        ("wwmm", 1, ("wmm", "wwm")),
        ("wwmm", 2, ("wm",)),
        ("wwwmm", 2, ("wmm", "wwm")),
    ],
)
def test_what_croupiers_can_make_of_a_cost(cost: str, croupiers: int, found: tuple[str, ...]) -> None:
    assert reduced(cost, croupiers) == found


def test_a_choice_of_croupiers_leaves_no_card_to_spare() -> None:
    """A red sailor that gives jj leaves nothing of jj to be reduced: aaj would need two cards more, ajj only one."""
    red = means(DECK, ("croupier-m", "sailor-j"))
    assert payments(DECK, "aajj", ("killer-a", "killer-a"), red, croupiers=1) == (("killer-a",),)
    weaker = means(DECK, ("croupier-m", "killer-j"))
    hand = ("killer-a", "killer-a", "dancer-j")
    assert payments(DECK, "aajj", hand, weaker, croupiers=1) == (("killer-a", "killer-a"), ("killer-a", "dancer-j"))


def test_how_much_of_a_cost_is_short() -> None:
    """Players ask what a plan lacks: by red cards alone, and with blue ones."""
    red = means(DECK, ("croupier-m", "sailor-j"))
    killers = [DECK.card["killer-a"]] * 3
    assert [shortage("aajj", red, killers[:number], croupiers=1) for number in range(4)] == [1, 0, 0, 0]
    assert shortage("aajj", red) == 2
    assert shortage("aajj", red, [DECK.card["dancer-w"], DECK.card["widow"]]) == 1


def test_the_widest_choice_that_was_found() -> None:
    """Four red innkeepers and nine blue cards."""
    blue = "policeman-m trader-m croupier-m innkeeper-m innkeeper-w politician-m politician-w killer-w widow"
    red = "innkeeper-a innkeeper-a innkeeper-j innkeeper-j dancer-j"
    state = position(side(blue, red), centre="casino gallery red-room syndicate")
    legal = state.legal(0)
    assert len(legal) == len({*legal}) == 262
    table = Table(RECONSTRUCTION)
    table.blue[0][:], table.red[0][:] = blue.split(), red.split()
    table.centre = ["casino", "gallery", "red-room", "syndicate"]
    for each in table.piles:
        each.top = "sailor-j"
    assert [*legal] == table.actions()


@together(
    ("own", "tile", "is_met"),
    [
        (side("killer-a killer-j", "killer-w killer-m"), "restaurant", True),
        (side("killer-a killer-j", "killer-w"), "restaurant", False),
        (side("widow widow widow", "widow"), "restaurant", True),
        (side("widow widow", "widow", dead=2), "restaurant", False),
        (side("", "killer-a"), "restaurant", False),
        (side("killer-a killer-j dancer-a sailor-a widow widow", "innkeeper-a"), "temple-bar", True),
        (side("killer-a killer-j dancer-a sailor-a widow", "innkeeper-a"), "temple-bar", False),
        (side("killer-a killer-j dancer-a sailor-a", "innkeeper-a", dead=2), "temple-bar", True),
        (side("killer-a dancer-a sailor-a", "trader-a croupier-a widow"), "china-club", True),
        (side("killer-a dancer-a sailor-a", "trader-a croupier-a croupier-w"), "china-club", False),
        (side("killer-a dancer-a sailor-a", "trader-a croupier-a", dead=1), "china-club", False),
        (side("killer-a", "killer-w", reserved="casino", opened="gallery"), "black-market", True),
        (side("killer-a", "killer-w", reserved="black-market", opened="gallery"), "black-market", True),
        (side("", "killer-w", dead=1, reserved="casino", opened="gallery"), "black-market", True),
        (side("", "killer-w", reserved="casino", opened="gallery"), "black-market", False),
        (side("killer-a", "", reserved="casino", opened="gallery"), "black-market", False),
        (side("killer-a", "killer-w", opened="gallery"), "black-market", False),
        (side("killer-a", "killer-w", reserved="casino"), "black-market", False),
    ],
)
def test_conditions(own: Side, tile: str, is_met: bool) -> None:
    centre = "" if tile in own.reserved else tile
    assert (f"open:{tile}" in position(own, centre=centre).legal(0)) == is_met


def test_only_the_own_reserved_tiles_can_be_opened() -> None:
    state = position(side("killer-a", "killer-w sailor-a", opened="gallery"), side("", reserved="black-market"))
    assert "open:black-market" not in state.legal(0)


# piles


def test_a_payment_goes_under_the_smallest_pile_in_file_order() -> None:
    piles = [pile(unseen=2), pile(known="killer-a"), pile(known="killer-w"), pile(unseen=1)]
    state = position(side("killer-a trader-w sailor-w dancer-m"), piles=piles, unseen="widow widow widow")
    step = Acted(0, "recruit:killer-a=dancer-m+trader-w+sailor-w")
    after = state.apply(step.action)
    assert after.piles[1].known == ("killer-a", "dancer-m", "trader-w", "sailor-w")
    assert after.sides[0] == side("", "killer-a")
    assert happenings(state, step) == [
        Recruited(0, "killer-a", ("dancer-m", "trader-w", "sailor-w"), 0),
        Discarded(0, ("dancer-m", "trader-w", "sailor-w"), 2, "paid"),
    ]


def test_an_empty_pile_is_the_smallest_and_is_filled_at_once() -> None:
    state = position(side("dancer-a sailor-w dancer-m"), piles=[pile(), Pile("", 0, ()), pile(), Pile("", 0, ())])
    assert [action for action in state.legal(0) if action.startswith("take")] == ["take:1", "take:3"]
    step = Acted(0, "recruit:dancer-a=dancer-m+sailor-w")
    after = state.apply(step.action)
    assert after.piles[1] == Pile("dancer-m", 0, ("sailor-w",))
    assert happenings(state, step)[-1] == TurnedUp(2, "dancer-m")
    assert after.node == Turn(0)
    assert after.legal(0) == ("take:1", "take:2", "take:3")


def test_widows_die_and_are_not_discarded() -> None:
    state = position(side("dancer-a widow widow"), centre="red-room")
    step = Acted(0, "recruit:dancer-a=widow+widow")
    after = state.apply(step.action)
    assert after.sides[0] == side("", "dancer-a", dead=2)
    assert after.piles == state.piles
    assert happenings(state, step) == [Recruited(0, "dancer-a", ("widow", "widow"), 2)]


def test_the_three_ways_in_which_a_pile_goes_on() -> None:
    piles = [pile("sailor-a", 1), pile("sailor-w", 0, "killer-a killer-w"), pile("sailor-m"), pile()]
    state = position(side("widow"), piles=piles, unseen="dancer-j")
    drawn = state.apply("take:1")
    assert (drawn.node, drawn.pile, drawn.piles[0]) == (Chance((1,)), 0, Pile("", 1, ()))
    assert drawn.legal(0) == drawn.legal(1) == ()
    after = drawn.apply_chance((0,))
    assert (after.node, after.pile, after.piles[0]) == (Turn(1), -1, Pile("dancer-j", 0, ()))
    known = state.apply("take:2")
    assert (known.node, known.piles[1]) == (Turn(1), Pile("killer-a", 0, ("killer-w",)))
    assert happenings(state, Acted(0, "take:2")) == [Taken(0, 2, "sailor-w"), TurnedUp(2, "killer-a")]
    empty = state.apply("take:3")
    assert (empty.node, empty.piles[2]) == (Turn(1), Pile("", 0, ()))


def test_what_was_seen_lies_below_what_nobody_has_seen() -> None:
    state = position(side("killer-a killer-j dancer-a sailor-a widow"), piles=[pile("sailor-w", 1, "killer-w")] * 4)
    state = state._replace(unseen=("dancer-j",) * 4).apply("take:2").apply_chance((0,))
    assert state.phase == Phase.LIMIT
    after = state.apply("discard:sailor-w")
    assert after.piles[1] == Pile("dancer-j", 0, ("killer-w", "sailor-w"))


# places


def test_five_places_and_one_for_each_innkeeper() -> None:
    blue = "killer-a killer-j dancer-a sailor-a"
    for own, is_beyond in (
        (side(blue), False),
        (side(f"{blue} widow"), True),
        (side(blue, dead=1), True),
        (side(blue, "innkeeper-a", dead=1), False),
        (side(f"{blue} widow", "innkeeper-a innkeeper-a", dead=1), False),
        (side(f"{blue} widow", "innkeeper-a innkeeper-a", dead=2), True),
    ):
        after = position(own).apply("take:1")
        assert (after.phase == Phase.LIMIT) == is_beyond
        assert after.node == Turn(0 if is_beyond else 1)
        if is_beyond:
            cards = dict.fromkeys(DECK.in_order((*own.blue, "sailor-j")))
            assert after.legal(0) == tuple(f"discard:{card}" for card in cards)


# powers


def test_a_killers_victim_chooses() -> None:
    own = side("killer-a", "sailor-w killer-m")
    state = position(own, side("widow dancer-w dancer-w", dead=1)).apply("recruit:killer-a")
    assert (state.phase, state.player, state.node) == (Phase.KILLER, 0, Turn(1))
    assert state.legal(0) == ()
    assert state.legal(1) == ("discard:dancer-w", "discard:widow")
    after = state.apply("discard:widow")
    assert (after.player, after.phase) == (1, Phase.ACTION)
    assert after.sides[1] == side("dancer-w dancer-w", dead=1)
    assert after.piles[0].known == ("widow",)
    assert happenings(state, Acted(1, "discard:widow")) == [Discarded(1, ("widow",), 1, "killer")]


def test_powers_without_an_object_do_nothing() -> None:
    nobody = position(side("killer-a", "sailor-w killer-m"), side("", dead=2)).apply("recruit:killer-a")
    assert (nobody.node, nobody.phase) == (Turn(1), Phase.ACTION)
    nothing = position(side("policeman-a", "sailor-m killer-j"), centre="").apply("recruit:policeman-a")
    assert (nothing.node, nothing.phase) == (Turn(1), Phase.ACTION)


def test_a_dancer_takes_a_card() -> None:
    state = position(side("dancer-a", "killer-w killer-m")).apply("recruit:dancer-a")
    assert (state.node, state.phase) == (Turn(0), Phase.DANCER)
    assert state.legal(0) == ("take:1", "take:2", "take:3", "take:4")
    assert state.apply("take:2").sides[0] == side("sailor-j", "dancer-a killer-w killer-m")


def test_a_policeman_reserves_a_tile() -> None:
    state = position(side("policeman-a", "sailor-m killer-j")).apply("recruit:policeman-a")
    assert (state.node, state.phase) == (Turn(0), Phase.POLICEMAN)
    assert state.legal(0) == ("reserve:casino", "reserve:gallery")
    after = state.apply("reserve:gallery")
    assert after.centre == ("casino",)
    assert after.sides[0].reserved == ("gallery",)
    assert after.node == Turn(1)


def test_a_power_does_not_help_with_its_own_cost() -> None:
    assert paying(position(side("croupier-w sailor-a")), "recruit:croupier-w") == []
    assert paying(position(side("sailor-a dancer-w killer-m")), "recruit:sailor-a") == []


# the end

SEVEN = "killer-a killer-w killer-m killer-j dancer-a dancer-w dancer-m"


def test_player_1_has_one_more_turn() -> None:
    own = side("sailor-j", "killer-a sailor-w killer-m killer-j dancer-a dancer-w")
    after = position(own).apply("recruit:sailor-j")
    assert len(after.sides[0].red) == 7
    assert after.node == Turn(1)
    over = after.apply("take:1")
    assert (over.player, over.phase, over.round) == (1, Phase.OVER, 9)
    assert isinstance(over.node, Terminal)
    assert over.legal(0) == over.legal(1) == ()


def test_it_is_over_at_once_if_player_1_brings_it_about() -> None:
    own = side("", "sailor-j killer-w dancer-m croupier-j")
    state = position(own, centre="gallery", player=1)
    over = state.apply("open:gallery")
    assert isinstance(over.node, Terminal)
    assert happenings(state, Acted(1, "open:gallery")) == [Opened(1, "gallery", (), 0)]


def test_a_reserved_tile_is_not_in_the_centre() -> None:
    state = position(side("policeman-a", "sailor-m killer-j"), centre="casino", player=1)
    assert isinstance(state.apply("recruit:policeman-a").apply("reserve:casino").node, Terminal)


def test_round_40_is_the_last() -> None:
    for round_, is_over in ((39, False), (40, True)):
        state = position(side("widow"), player=1, round_=round_)
        after = state.apply("take:1")
        assert isinstance(after.node, Terminal) == is_over
        began = [each for each in happenings(state, Acted(1, "take:1")) if isinstance(each, RoundBegan)]
        assert len(began) == (not is_over)
        assert (after.round, after.player) == ((40, 1) if is_over else (40, 0))
    assert position(side("widow"), round_=40).apply("take:1").node == Turn(1)


@together(
    ("first", "second", "scores", "winner"),
    [
        (side("", "killer-a"), side("", "dancer-a"), (3, 2), 0),
        (side("", "killer-a"), side("", "politician-a"), (3, 5), 1),
        (side("widow", "killer-a widow"), side("", ""), (1, 0), 0),
        # reserved tiles count nothing
        (side("", "killer-a", reserved="casino"), side("", "innkeeper-a"), (3, 4), 1),
        # opened ones 5 or 6
        (side("", "", opened="casino restaurant"), side("", SEVEN), (11, 18), 1),
        # equal scores: more opened tiles
        (side("", "dancer-a", opened="gallery"), side("", "innkeeper-a innkeeper-a"), (8, 8), 0),
        (side("", "innkeeper-a innkeeper-a"), side("", "dancer-a", opened="gallery"), (8, 8), 1),
        # then more red cards
        (side("", "killer-a killer-w"), side("", "dancer-a dancer-w dancer-m"), (6, 6), 1),
        (side("", "dancer-a dancer-w dancer-m"), side("", "killer-a killer-w"), (6, 6), 0),
        (side("", "dancer-a", opened="gallery"), side("", "dancer-m", opened="casino"), (8, 8), None),
        (side("", "killer-a"), side("", "sailor-a", dead=2), (3, 3), None),
    ],
)
def test_scores(first: Side, second: Side, scores: tuple[int, int], winner: int | None) -> None:
    over = position(first, second)._replace(phase=Phase.OVER)
    assert over.node == Terminal(scores, winner)


def test_what_is_said_of_an_illegal_step() -> None:
    state = position(side("widow"))
    with pytest.raises(Illegal, match="illegal_action"):
        state.apply("take:5")
    with pytest.raises(Illegal, match="no_draw_here"):
        state.apply_chance((0,))
    with pytest.raises(Illegal, match="not_simultaneous"):
        state.apply_joint(("take:1", "take:1"))
    with pytest.raises(Illegal) as caught:
        start(DECK).apply_chance((0,) * 7)
    assert caught.value.details["bounds"] == (10, 9, 8, 7, 46, 45, 44, 43)
