"""A person at the table: what is asked, what is understood, and that nothing moves by accident."""

import asyncio
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from p2p_shanghaien.errors import Quit
from p2p_shanghaien.games.api import Acted, Chance, Drawn, Terminal, Turn, advance
from p2p_shanghaien.games.shanghaien.display.table import TABLE
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.rules import State
from p2p_shanghaien.ui.plain import PlainTable, listing
from p2p_shanghaien.ui.view import Choice, viewpoint
from tests.sweeps import examples, sweep
from tests.ui.desk import Desk
from tests.ui.ledger import RECORDS, load, moments

GAME = Shanghaien()
NAMES = ("Ada", "Ben")


def rolled(variant: str = "standard") -> State:
    """Round 1 (row F1 A1 A2 A3 A3 A4 reversed by the draw), player 0 has rolled 2 and 5."""
    state = Shanghaien(variant).start()
    for step in (Drawn((5, 0, 0, 0, 0, 0)), Acted(0, "roll"), Drawn((4, 1))):
        state = advance(state, step)
    return state


def decide(desk: Desk, state: State, player: int = 0) -> str:
    desk.table.begun(GAME, NAMES, player)
    desk.shown()
    return asyncio.run(desk.table.decide(state, player))


def test_the_position_and_every_choice_are_shown() -> None:
    desk = Desk(["1"])
    state = rolled()
    decide(desk, state)
    shown = desk.shown()
    assert any("rolled 2 and 5" in line for line in shown)
    assert any(line.startswith("1 at left") for line in shown)
    assert [line for line in shown if line.startswith(" ") and line.endswith("]")] == [
        " 1. place 2 on A1, number 1 left [-2<]",
        " 2. place 2 on A3, number 1 right [-2>]",
        " 3. place 5 on A3, number 1 left [-5<]",
        " 4. place 5 on A1, number 1 right [-5>]",
    ]


@pytest.mark.parametrize(
    ("typed", "action"),
    [("1", "-2<"), ("4", "-5>"), ("-5<", "-5<"), ("003", "-5<")],
)
def test_a_number_or_the_notation_decides(typed: str, action: str) -> None:
    assert decide(Desk([typed]), rolled()) == action


def test_capital_letters_do_as_well() -> None:
    state = rolled("extra-wild")._replace(crews=(("F1",), ()))
    assert decide(Desk(["!W=f"]), state) == "!w=F"


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("5", "There is no choice 5; the list goes from 1 to 4."),
        ("0", "There is no choice 0; the list goes from 1 to 4."),
        ("99999999999999999999", "There is no choice 99999999999999999999"),
        ("²", '"²" is not one of the choices'),
        ("٣", '"٣" is not one of the choices'),
        ("-6", "Your dice show 2 and 5: there is no 6 to place."),
        ("-5", "Say where number 1 is: -5< for the left end, -5> for the right end."),
        ("roll", "You have rolled already: 2 and 5."),
        ("#", "You have rolled already: 2 and 5."),
        ("!r", "You do not hold that trick. You hold no trick."),
        ("!p=F", "You do not hold that trick."),
        ("!x", '"!x" is not one of the choices'),
        ("-2< -5<", '"-2< -5<" is not one of the choices'),
        ("\x1b[31m", r'"\x1b[31m" is not one of the choices'),
    ],
)
def test_bad_input_is_explained_and_asked_again(typed: str, answer: str) -> None:
    desk = Desk([typed, "-2<"])
    assert decide(desk, rolled()) == "-2<"
    assert answer in " ".join(desk.shown())
    assert len(desk.script.prompts) == 2


def test_refusals_where_they_depend_on_the_position() -> None:
    def why(state: State, typed: str) -> str:
        return str(TABLE.refusal(state, 0, typed))

    state = rolled("extra-wild")
    shanghaien = state._replace(crews=(("F1",), ()), direction="<", tricks=("p", ""))
    assert "fixed for this round; type -2 without" in why(shanghaien, "-2<")
    assert "You hold: die +/-1." in why(shanghaien, "!b")
    assert "needs a German sailor" in why(shanghaien, "!p=G")
    assert "!p+3 does not fit: your dice show 2 and 5" in why(shanghaien, "!p+3")
    assert "one a round" in why(shanghaien._replace(tricked=(True, False)), "!p+2")
    turn = shanghaien._replace(phase=1, dice=())
    assert "once you have placed two dice" in why(turn, "#")
    assert "Roll first" in why(turn, "-2")
    assert "Roll first" in why(turn, "!p+2")
    spent = turn._replace(placed=((5, 0, 0, 0, 0, 0), (0,) * 6))
    assert "only Shanghai is open" in why(spent, "roll")
    assert "only Shanghai is open" in why(spent, "-2")
    both = shanghaien._replace(tricks=("b", ""), direction="")
    assert "!b< for the left end" in why(both, "!b")
    assert "type !b without" in why(both._replace(direction=">"), "!b>")


def test_an_empty_line_never_moves_where_there_is_a_choice() -> None:
    desk = Desk(["", "", "1"])
    assert decide(desk, rolled()) == "-2<"
    assert len(desk.script.prompts) == 3
    assert "Enter" not in desk.script.prompts[0]
    assert sum("rolled 2 and 5" in line for line in desk.shown()) == 3


def test_enter_takes_the_only_choice_and_the_prompt_says_so() -> None:
    state = GAME.start().apply_chance((0,) * 6)
    desk = Desk([""])
    assert decide(desk, state) == "roll"
    assert "Enter plays roll" in desk.script.prompts[0]


def test_only_shanghai() -> None:
    state = GAME.start().apply_chance((0,) * 6)._replace(placed=((5, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 2)), direction="<")
    desk = Desk(["roll", ""])
    assert decide(desk, state) == "#"
    shown = " ".join(desk.shown())
    assert " 1. Shanghai: you take A1; Ben takes F1 [#]" in shown
    assert "only Shanghai is open" in shown


def test_the_longest_choice_fits_on_a_line() -> None:
    state = GAME.start().apply_chance((0,) * 6)._replace(placed=((0,) * 6, (1,) * 6), direction="<", player=1)
    (choice,) = TABLE.choices(state, 1, viewpoint(("W" * 32, "Ben"), 1))
    (line,) = listing([choice])
    assert line.startswith(" 1. Shanghai: you take ")
    state = state._replace(player=0, placed=((0, 0, 0, 0, 0, 2), (1, 1, 1, 1, 1, 3)))
    (choice,) = [each for each in TABLE.choices(state, 0, viewpoint(("Ada", "W" * 32), 0)) if each.action == "#"]
    (line,) = listing([choice])
    assert "you take nothing; WWW" in line
    assert len(line) <= 80


def test_what_was_typed_before_the_question_is_forgotten() -> None:
    desk = Desk(["1", "y"])
    decide(desk, rolled())
    assert desk.script.forgot == 1
    asyncio.run(desk.table.confirm("play_again"))
    assert desk.script.forgot == 2


def test_completion_offers_what_is_legal_and_nothing_else() -> None:
    desk = Desk(["1"])
    decide(desk, rolled())
    asked = ["row", "card", "crew", "score", "last", "moves", "table"]
    offered = ["-2<", "-2>", "-5<", "-5>", "?", "help", "quit", "exit", "rules", *asked]
    assert sorted(desk.script.completions) == sorted(offered)


def test_help_explains_the_table_and_repeats_the_choices() -> None:
    desk = Desk(["?", "1"])
    decide(desk, rolled())
    shown = desk.shown()
    at = shown.index("Your choice (1-4, ? for help): ") + 1
    explained = " ".join(" ".join(shown[at:]).split())
    for part in ("Above the row: Ben. Below it: You.", "rules for the rules", "Ctrl-D", "[-2<]", "unused trick"):
        assert part in explained


def test_the_rules_are_there_on_demand() -> None:
    desk = Desk(["rules", "1"])
    decide(desk, rolled())
    assert "SHANGHAIEN" in desk.shown()


def test_leaving() -> None:
    with pytest.raises(Quit):
        decide(Desk([]), rolled())


@pytest.mark.parametrize(("answer", "meant"), [("y", True), ("YES", True), ("n", False), ("no", False)])
def test_confirm(answer: str, meant: bool) -> None:
    desk = Desk(["", "maybe", answer])
    assert asyncio.run(desk.table.confirm("play_with_guest", name="Eve\x1b[2J")) == meant
    shown = desk.shown()
    assert shown[0] == r"Play with Eve\x1b[2J?"
    assert 'Please answer yes or no; "maybe" is neither.' in shown
    assert len(desk.script.prompts) == 3


@pytest.mark.parametrize(("answer", "meant"), [("yes", True), ("YES", True), ("n", False), ("no", False)])
@pytest.mark.parametrize("code", ["play_with_doubtful_guest", "take_terms_of_doubtful_host"])
def test_after_a_warning_only_the_whole_word_says_yes(code: str, answer: str, meant: bool) -> None:
    desk = Desk(["", "y", "ye", answer])
    assert asyncio.run(desk.table.confirm(code, name="Eve", game="shanghaien", settings="x")) == meant
    assert 'Please answer yes or no; "y" is neither.' in desk.shown()
    assert len(desk.script.prompts) == 4


def test_leaving_a_question() -> None:
    with pytest.raises(Quit):
        asyncio.run(Desk([]).table.confirm("play_again"))


def follow(table: PlainTable, me: int | None) -> int:
    """Show record 1 to `me` up to the point where player 0 must act in round 2; return the index of that step."""
    table.begun(GAME, NAMES, me)
    for index, moment in enumerate(moments(RECORDS[0])):
        state = moment.before
        if getattr(state, "round", 0) == 2 and state.node == Turn(0):
            return index
        table.stepped(moment.before, moment.step, moment.after)
    raise AssertionError


@pytest.mark.parametrize(("height", "typed", "times"), [(24, ["table", "1"], 2), (24, ["1"], 1), (60, ["1"], 1)])
def test_the_last_rounds_outcome_is_on_the_screen_when_the_next_begins(
    height: int, typed: list[str], times: int
) -> None:
    """It is drawn again only where it has scrolled away, and once the person has decided it is not drawn any more."""
    desk = Desk([*typed, "table", "1"], terminal=True, height=height)
    steps = list(load(RECORDS[0]).positions())
    index = follow(desk.table, 0)
    state = steps[index]
    asyncio.run(desk.table.decide(state, 0))
    shown = desk.shown()
    assert sum(line.startswith("taken by") for line in shown) == times
    last = "\n".join(shown[-height:])
    assert "taken by" in last
    assert "Round 2 of 8" in last
    assert "Your choice" in last
    state = advance(advance(state, Acted(0, "roll")), Drawn((0, 0)))
    asyncio.run(desk.table.decide(state, 0))
    assert not any(line.startswith("taken by") for line in desk.shown())


def test_without_a_terminal_nothing_is_repeated() -> None:
    desk = Desk(["1"], height=24)
    index = follow(desk.table, 0)
    state = list(load(RECORDS[0]).positions())[index]
    asyncio.run(desk.table.decide(state, 0))
    assert sum(line.startswith("taken by") for line in desk.shown()) == 1


@pytest.mark.parametrize("me", [0, 1, None])
def test_the_new_row_is_drawn_for_who_does_not_start(me: int | None) -> None:
    desk = Desk()
    desk.table.begun(GAME, NAMES, me)
    state = GAME.start()
    desk.table.stepped(state, Drawn((0,) * 6), state.apply_chance((0,) * 6))
    assert any(line.startswith("1 at left") for line in desk.shown()) == (me != 0)


@pytest.mark.parametrize("me", [0, 1])
def test_a_game_taken_up_again_is_shown_where_it_is(me: int) -> None:
    desk = Desk()
    desk.table.begun(GAME, NAMES, me, rolled())
    shown = desk.shown()
    assert any("rolled 2 and 5" in line for line in shown)
    assert any(line.startswith("1 at left") for line in shown)


def test_the_end_shows_the_scoring_and_then_says_who_won() -> None:
    desk = Desk()
    desk.table.begun(GAME, NAMES, 1)
    for moment in moments(RECORDS[0]):
        desk.table.stepped(moment.before, moment.step, moment.after)
    shown = desk.shown()
    assert shown[-1] == "The game is over, 29 to 15: you win."
    assert shown[-2].split() == ["Total", "15", "29"]
    assert shown[-12].startswith("Scoring")
    assert shown[-13].startswith("taken by")


def test_a_game_is_announced_with_both_names_and_its_options() -> None:
    desk = Desk()
    desk.table.begun(Shanghaien("extra-wild", (8, 0, 0)), NAMES, 1)
    assert " ".join(" ".join(desk.shown()).split()) == (
        "Shanghaien (variant extra-wild, tricks p8 b0 r0): you are Ben and play against Ada. "
        "Type table to see the table, and ? for all that you can type."
    )


def test_news_at_any_time() -> None:
    desk = Desk()
    desk.table.notify("chat", name="Ben", text="hello")
    assert desk.shown() == ["| Ben: hello"]


def test_few_choices_stand_below_each_other() -> None:
    assert listing([Choice("roll", "roll"), Choice("#", "Shanghai")]) == [" 1. roll [roll]", " 2. Shanghai [#]"]
    assert listing([Choice("at:9", "space 9", "9"), Choice("r", "rum", "r")]) == [" 9. space 9", " r. rum"]


def test_many_choices_stand_beside_each_other() -> None:
    choices = [Choice(f"!p={n}", "x" * 10) for n in range(10, 50)]
    lines = listing(choices)
    assert len(lines) == 14
    assert max(map(len, lines)) <= 80
    assert [f"{number}. " in " ".join(lines) for number in range(1, 41)] == [True] * 40


names = st.one_of(
    st.text(min_size=1, max_size=32),
    st.sampled_from(["W" * 32, "漢" * 32, "é" * 32, "a\u0301" * 16, "\U0001f600" * 32, "You", "?", "(1)"]),
)


@settings(max_examples=examples(5))
@given(
    seed=st.integers(0, 1 << 32),
    names=st.tuples(names, names),
    me=st.sampled_from([0, 1]),
    ascii_only=st.booleans(),
    variant=st.sampled_from(["standard", "extra-wild"]),
)
@example(seed=0, names=("0", "0\x1f\x1f\x1dÃÈõ÷\U0008764f\U000a3324\xa0"), me=0, ascii_only=False, variant="standard")
def test_no_line_is_wider_than_the_screen(
    seed: int, names: tuple[str, str], me: int, ascii_only: bool, variant: str
) -> None:
    """And without colour there is no escape; in ASCII there is nothing else; `told` and help included."""
    rng = Random(seed)
    desk = Desk(answers(rng), ascii_only=ascii_only)
    play(desk, Shanghaien(variant), names, me, rng)
    shown = desk.shown()
    text = "\n".join(shown)
    assert max(map(cell_len, shown)) <= 80
    assert all(character.isprintable() or character == "\n" for character in text if character.isascii())
    assert text.isascii() or not ascii_only


def answers(rng: Random):  # type: ignore[no-untyped-def]
    while True:
        yield rng.choice(["1", "2", "3", "7", "19", "", "?", "nonsense", "#"])


def play(desk: Desk, game: Shanghaien, names: tuple[str, str], me: int, rng: Random) -> None:
    """A random game, with the person's answers as they come."""

    async def whole() -> None:
        desk.table.begun(game, names, me)
        state: State = game.start()
        while not isinstance(state.node, Terminal):
            step = await next_step(state)
            after = advance(state, step)
            desk.table.stepped(state, step, after)
            state = after

    async def next_step(state: State) -> Acted | Drawn:
        match state.node:
            case Chance(bounds):
                return Drawn(tuple(rng.randrange(bound) for bound in bounds))
            case Turn(player):
                legal: Sequence[str] = state.legal(player)
                if player == me:
                    return Acted(player, await desk.table.decide(state, player))
                return Acted(player, rng.choice(legal))
        raise AssertionError

    asyncio.run(whole())


@sweep("path", RECORDS, every=9, ids=lambda path: path.stem)
def test_a_decision_fits_on_a_small_screen(path) -> None:  # type: ignore[no-untyped-def]
    """Position, choices and prompt in 24 lines, for every decision of these games."""
    for moment in moments(path):
        if isinstance(moment.before.node, Turn):
            player = moment.before.node.player
            desk = Desk(["1"])
            decide(desk, moment.before, player)
            assert len(desk.shown()) <= 24


@sweep("path", RECORDS, every=3, ids=lambda path: path.stem)
def test_choices_are_what_is_legal(path) -> None:  # type: ignore[no-untyped-def]
    for moment in moments(path):
        if isinstance(moment.before.node, Turn):
            player = moment.before.node.player
            legal = moment.before.legal(player)
            choices = TABLE.choices(moment.before, player, viewpoint(NAMES, player))
            assert [choice.action for choice in choices] == list(legal)
            assert len({choice.words for choice in choices if "joker" not in choice.words}) == len(
                [action for action in legal if "=" not in action]
            )
