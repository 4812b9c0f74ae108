"""Shadows of Macao on the screen: whole games say what happens, show what lies there, and fit."""

import json
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from random import Random

import pytest
from rich.cells import cell_len

from p2p_shanghaien.games.api import Acted, Terminal, Turn
from p2p_shanghaien.games.macao.deck import from_canonical, reconstruction
from p2p_shanghaien.games.macao.display.full import BOARD_VIEW, KEYS
from p2p_shanghaien.games.macao.display.table import TABLE
from p2p_shanghaien.games.macao.display.view import parts, payable, steps, tile_reach, ways
from p2p_shanghaien.games.macao.notation import events
from p2p_shanghaien.games.macao.rules import Phase, State
from p2p_shanghaien.ui.characters import ASCII, UNICODE
from p2p_shanghaien.ui.full.drawing import ActionMenu, Canvas, MenuItem
from p2p_shanghaien.ui.language import LANGUAGES, choose
from p2p_shanghaien.ui.view import Viewpoint, rules_of, viewpoint
from tests.games.macao.plain import RECONSTRUCTION
from tests.games.macao.playing import STYLES
from tests.games.macao.strategies import moments
from tests.games.macao.test_worked_examples import position as laid_out
from tests.games.macao.test_worked_examples import side
from tests.games.playing import Moment
from tests.sweeps import together

WIDE = ("Abdul-Rahman Al-Sufi", "漢字漢字漢字漢字漢字漢字")
"""Names as wide as a label gets, one of them in characters of two cells."""
SITTING = viewpoint(("Ada", "Ben"), None)
MINE = viewpoint(("Ada", "Ben"), 0)
RESERVED = set("?/mklovhuq")


@cache
def games() -> tuple[Moment[State], ...]:
    found = [moment for seed, style in enumerate(STYLES) for moment in moments(RECONSTRUCTION, Random(seed), style)]
    return tuple(found)


def turns() -> Iterator[tuple[State, int]]:
    for before, _, _ in games():
        if isinstance(before.node, Turn):
            yield before, before.node.player


def news(moment: Moment[State], sitting: Viewpoint) -> str:
    return " ".join(map(str, TABLE.news(*moment, sitting)))


def test_everything_that_happens_is_said() -> None:
    """Each event of the replay, by the names of players, cards and piles in it."""
    for moment in games():
        said = news(moment, SITTING)
        if isinstance(moment.step, Acted):
            assert f"{('Ada', 'Ben')[moment.step.player]} " in said
        for event in events(*moment):
            match event:
                case {"event": "table", "round": number}:
                    assert f"Round {number} begins." in said
                case {"event": "turned", "pile": pile, "card": card}:
                    assert f"Pile {pile} now shows {card}" in said
                case {"event": "recruited", "card": card, "paid": paid}:
                    assert f"recruited {card}" in said
                    assert all(each in said for each in paid)
                case {"event": "discarded", "cards": cards, "pile": pile}:
                    assert all(each in said for each in cards)
                    assert f"under pile {pile}." in said
                case {"event": "opened"}:
                    assert " opened " in said
                case {"event": "reserved"}:
                    assert " reserved " in said
        assert "{" not in said
        assert "macao:" not in said


def test_the_user_is_you() -> None:
    for moment in games():
        if isinstance(moment.step, Acted):
            assert news(moment, MINE).startswith("You " if moment.step.player == 0 else "Ben ")


@pytest.mark.parametrize("charset", [UNICODE, ASCII])
def test_the_table_fits_and_shows_everything(charset: object) -> None:
    sitting = viewpoint(WIDE, 1, ASCII if charset is ASCII else UNICODE)
    for _, _, state in games():
        lines = [line.plain for line in TABLE.position(state, sitting)]
        assert all(cell_len(line) <= 80 for line in lines)
        assert charset is UNICODE or all(line.isascii() for line in lines if "漢" not in line)
        text = "\n".join(lines)
        assert "macao:" not in text
        assert "reconstructed cards" in f"{lines[0]} {lines[1]}"
        for own in state.sides:
            assert all(name in text for name in (*own.blue, *own.red, *own.reserved, *own.opened))
        assert all(name in text for name in state.centre)
        assert all(pile.top in text for pile in state.piles)
        if isinstance(state.node, Terminal):
            ending = "\n".join(line.plain for line in TABLE.ending(state, sitting))
            assert all(f"{score} point" in ending for score in state.scores)


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_fits_in_every_language(language: str) -> None:
    """The table in 80 cells, the small one in 14 lines, and the rules as they stand in a panel with a scroll bar."""
    choose(language)
    try:
        for _, _, state in games()[::25]:
            for charset in (UNICODE, ASCII):
                sitting = viewpoint(WIDE, 1, charset)
                assert all(line.cell_len <= 80 for line in TABLE.position(state, sitting))
                small = BOARD_VIEW.board(state, sitting, ActionMenu(), Canvas(79, 14, charset=charset))
                assert len(small) <= 14
                assert not charset.ascii_only or all(line.plain.isascii() for line in small if "漢" not in line.plain)
        assert all(cell_len(line) <= 74 for line in rules_of("macao").splitlines())
    finally:
        choose("en")


def test_another_deck_is_not_called_reconstructed() -> None:
    other = from_canonical(reconstruction().canonical().replace(b'"a",3,2,""', b'"a",4,2,""', 1))
    state = laid_out(side("killer-a"))
    assert "reconstructed cards" in TABLE.position(state, SITTING)[0].plain
    assert "reconstructed cards" not in TABLE.position(state._replace(deck=other), SITTING)[0].plain
    assert "reconstructed cards" in BOARD_VIEW.heading(state, SITTING)
    assert "Reconstructed cards" in rules_of("macao")


def test_choices_and_tasks() -> None:
    for state, player in turns():
        legal = state.legal(player)
        offered = TABLE.choices(state, player, MINE)
        assert sorted(choice.action for choice in offered) == sorted(legal)
        assert all(choice.words and "macao:" not in choice.words for choice in offered)
        spellings = [each for choice in offered for each in {choice.action, *choice.spellings}]
        assert len(spellings) == len({*spellings})
        assert TABLE.task(state, player, MINE).endswith(".")


def test_spaces_and_with_for_the_signs_of_the_notation() -> None:
    state = laid_out(side("dancer-a sailor-w dancer-m"))
    spelled = {choice.action: choice.spellings for choice in TABLE.choices(state, 0, MINE)}
    for typed in ("recruit dancer-a with dancer-m sailor-w", "recruit dancer-a=dancer-m+sailor-w"):
        assert typed in spelled["recruit:dancer-a=dancer-m+sailor-w"]
    assert "take 1" in spelled["take:1"]


def test_very_many_choices_are_summed_up() -> None:
    blue = "policeman-m trader-m croupier-m innkeeper-m innkeeper-w politician-m politician-w killer-w widow"
    red = "innkeeper-a innkeeper-a innkeeper-j innkeeper-j dancer-j"
    state = laid_out(side(blue, red), centre="casino gallery red-room syndicate")
    lines = TABLE.summary(state, 0, MINE)
    assert 3 < len(lines) < 20
    assert lines[0] == "You can take a card: type take and one of the piles 1 2 3 4."
    assert not TABLE.summary(laid_out(side("widow")), 0, MINE)


@together(
    ("own", "typed", "reason"),
    [
        (side("killer-a"), "take 5", "There is no pile 5: they go from 1 to 4."),
        (side("killer-a"), "take:0", "There is no pile 0: they go from 1 to 4."),
        (side("killer-a"), "recruit killer-x", "There is no card killer-x."),
        (side("killer-a"), "recruit:Dancer-a", "dancer-a is not among your blue cards, which are killer-a."),
        (side("killer-a"), "recruit killer-a", "Your cards do not pay for that: it costs 2 weapons and money."),
        (side("", dead=1), "recruit widow", "A dead widow cannot be used."),
        (side("dancer-a dancer-m sailor-w"), "recruit dancer-a", "recruit:dancer-a=dancer-m+sailor-w."),
        (side("dancer-a dancer-m sailor-w"), "recruit dancer-a with sailor-w", "recruit:dancer-a=dancer-m+sailor-w."),
        (side("killer-a"), "open saloon", "There is no tile saloon."),
        (side("killer-a"), "open red-room", "Red Room lies neither in the centre nor reserved before you."),
        (side("killer-a"), "open casino", "it costs alcohol, weapons and 3 money."),
        (side("killer-a", reserved="temple-bar"), "open temple-bar", "Temple Bar demands 6 blue cards"),
        (side("killer-a"), "discard killer-a", "That is not possible now: you can take, recruit or open."),
        (side("killer-a"), "sing", '"sing" is not one of the choices'),
    ],
)
def test_refusals(own: object, typed: str, reason: str) -> None:
    assert reason in str(TABLE.refusal(laid_out(own), 0, typed))  # type: ignore[arg-type]


@together(
    ("typed", "said"),
    [
        ("recruit dancer-a", "3 payments are possible; recruit:dancer-a=killer-w+sailor-m wastes least."),
        ("recruit dancer-a with sailor-m", "2 payments are possible; recruit:dancer-a=killer-w+sailor-m"),
        ("recruit dancer-a with sailor-m", "add one of these cards: widow."),
        ("recruit dancer-a with sailor-m + sailor-m", "type for instance recruit:dancer-a=killer-w+sailor-m."),
    ],
)
def test_a_payment_is_narrowed_down_by_what_is_typed(typed: str, said: str) -> None:
    assert said in str(TABLE.refusal(laid_out(side("dancer-a killer-w sailor-m widow")), 0, typed))


def test_what_pays_need_not_be_said_where_there_is_no_choice() -> None:
    state = laid_out(side("dancer-a dancer-m sailor-w"))
    spelled = {choice.action: choice.spellings for choice in TABLE.choices(state, 0, MINE)}
    assert "recruit dancer-a" in spelled["recruit:dancer-a=dancer-m+sailor-w"]


def test_what_can_be_paid_is_what_is_legal() -> None:
    """For the player whose turn it is; and what is said to be missing is missing."""
    for state, player in turns():
        if state.phase == Phase.ACTION:
            open_ = {parts(action)[1] for action in state.legal(player) if not action.startswith("take")}
            assert {*payable(state, player)} == open_
            deck = state.deck
            for name in (*state.centre, *state.sides[player].reserved):
                reach = tile_reach(state, player, deck.tile[name])
                assert 0 <= reach.has <= reach.needs
                assert reach.is_met == (name in open_)


def test_a_payment_is_found_step_by_step() -> None:
    """The usual one, first everywhere, gives no widow away that need not die; every one is found in few steps."""
    seen = 0
    for state, player in turns():
        for actions in ways(state.deck, state.legal(player)).values():
            fewest = min(parts(action)[2].count("widow") for action in actions)
            assert parts(actions[0])[2].count("widow") == fewest
            left = list(actions)
            while len(left) > 1:
                narrower = steps(left)
                assert all(0 < len(each) < len(left) for _, each in narrower)
                assert {left[0], *(action for _, each in narrower for action in each)} == {*left}
                left = list(narrower[-1][1])
                seen += 1
    assert seen > 10


def test_the_end_is_in_sight_before_it_comes() -> None:
    six = "killer-a dancer-a policeman-a croupier-a trader-a sailor-a"
    lines = {
        "one red card of yours ends the game": laid_out(side("widow", six)),
        "one red card of Ben ends the game": laid_out(side("widow"), side("widow", six)),
        "the last tile ends the game": laid_out(side("widow"), centre="casino"),
        "the game ends with this round": laid_out(side("widow"), centre=""),
    }
    for line, state in lines.items():
        assert line in " ".join(each.plain for each in BOARD_VIEW.board(state, MINE, ActionMenu(), Canvas(79, 14)))
        assert line in TABLE.position(state, MINE)[0].plain + TABLE.position(state, MINE)[1].plain


@together("height", [14, 20, 30])
def test_the_most_cards_that_can_lie_there_fit(height: int) -> None:
    """Twelve blue cards at one side, which takes all red innkeepers, and six at the other."""
    red = "innkeeper-a innkeeper-a innkeeper-w innkeeper-m innkeeper-j innkeeper-j politician-a"
    blue = "policeman-j policeman-m policeman-a politician-w politician-w politician-m croupier-w croupier-m"
    rich = side(f"{blue} trader-j trader-m killer-w widow", red, opened="casino", reserved="restaurant")
    other = side(
        "policeman-j policeman-m politician-w croupier-w trader-j widow",
        "croupier-a trader-a dancer-m killer-m sailor-a sailor-m",
    )
    state = laid_out(rich, other, centre="gallery black-market")
    drawing = BOARD_VIEW.board(state, MINE, ActionMenu(), Canvas(79, height))
    assert len(drawing) <= height
    text = "\n".join(line.plain for line in drawing)
    assert text.count("polit") == 4 + 1
    assert text.count("widow") == 2
    assert all(line.cell_len <= 79 for line in drawing)


@together(
    ("phase", "typed", "reason"),
    [
        (Phase.LIMIT, "take 1", "First a blue card has to be discarded."),
        (Phase.LIMIT, "discard widow", "widow is not among your blue cards, which are killer-a, dancer-a."),
        (Phase.POLICEMAN, "take 1", "First your policeman reserves a tile."),
        (Phase.POLICEMAN, "reserve saloon", "There is no tile saloon."),
        (Phase.POLICEMAN, "reserve red-room", "Red Room does not lie in the centre; there are casino, gallery."),
        (Phase.DANCER, "open casino", "That is not possible now"),
    ],
)
def test_refusals_of_other_decisions(phase: int, typed: str, reason: str) -> None:
    state = laid_out(side("killer-a dancer-a"))._replace(phase=phase)
    assert reason in str(TABLE.refusal(state, 0, typed))


def test_an_empty_pile_is_refused() -> None:
    state = laid_out(side("killer-a"))
    emptied = state._replace(piles=(state.piles[0]._replace(top=""), *state.piles[1:]))
    assert str(TABLE.refusal(emptied, 0, "take 1")) == "Pile 1 is empty."


def test_answers() -> None:
    state = laid_out(side("killer-a", "trader-a", opened="restaurant"), side("", reserved="temple-bar", dead=1))

    def answer(question: str, about: str = "") -> str:
        (asked,) = (each for each in TABLE.questions if each.code == f"macao:question_{question}")
        assert asked.answer
        return " ".join(asked.answer(state, about, MINE))

    assert "Casino Royal (casino) costs alcohol, weapons and 3 money and is worth 6 points." in answer("tiles")
    assert "Pile 4: sailor-j lies on top." in answer("piles")
    assert answer("side", "me") == (
        "You: 8 points. Red cards: trader-a. Blue cards: killer-a. Opened: Harbour Restaurant."
    )
    assert answer("side", "B").startswith("Ben: 0 points. Red cards: nothing. Blue cards: nothing. 1 dead widow.")
    assert answer("side") == f"{answer('side', 'Ben')} {answer('side', 'me')}"
    assert "Cy" in answer("side", "Cy")
    assert "It exchanges alcohol and weapons." in answer("card", "trader-a")
    assert "worth 5 points" in answer("card", "Temple-Bar")
    assert answer("card") == "Type the name of a card or a tile as well, such as card killer-a."
    assert answer("card", "joker") == "There is no card joker."
    for name in state.deck.card:
        assert "macao:" not in answer("card", name)


def test_places_in_a_game() -> None:
    """Each round is opened by player 0's decision."""
    opened = [TABLE.opens(before, step) for before, step, _ in moments(RECONSTRUCTION, Random(1), "eager")]
    assert opened[0] is None
    assert opened[1] == 0
    *_, last = moments(RECONSTRUCTION, Random(1), "eager")
    assert opened.count(0) == last.after.round


def endings(items: Iterable[MenuItem]) -> Iterator[str]:
    """Yield the actions that the items lead to, by whatever steps."""
    for item in items:
        if item.then:
            yield from endings(item.then)
        else:
            yield item.action


def test_the_full_screen_has_a_key_for_everything() -> None:
    assert not RESERVED & {*KEYS}
    canvas = Canvas(79, 14)
    for state, player in islice(turns(), 0, None, 9):
        items = BOARD_VIEW.menu_items(state, player, MINE)
        keys = [item.key for item in items]
        assert len(keys) == len({*keys})
        assert {*endings(items)} == {*state.legal(player)}
        small, large = (BOARD_VIEW.board(state, MINE, ActionMenu(items), Canvas(79, height)) for height in (14, 40))
        for drawing, height in ((small, 14), (large, 40)):
            assert len(drawing) <= height
            text = "\n".join(line.plain for line in drawing)
            assert all(line.cell_len <= 79 for line in drawing)
            for own in state.sides:
                assert all(name in text for name in (*own.blue, *own.red, *own.reserved, *own.opened))
            assert all(pile.top in text for pile in state.piles)
        assert len(BOARD_VIEW.scores(state, MINE, canvas)) == 6


def test_the_picture_says_what_it_shows() -> None:
    for _, _, state in games()[::7]:
        (panel,) = TABLE.picture(state, SITTING).panels
        said = " ".join(part.words for part in panel.parts)
        assert "macao:" not in said
        for own in state.sides:
            assert all(name in said for name in (*own.blue, *own.red))
        json.dumps([part.markup for part in panel.parts])
