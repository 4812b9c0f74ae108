"""Questions about the table in plain mode: what is answered, that nothing moves by it, and when the table is shown."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import pytest
from rich.cells import cell_len

from p2p_shanghaien.errors import Quit
from p2p_shanghaien.games.api import Acted, Chance, Chosen, Drawn, Game, State, Step, Terminal, advance, deciders
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.halunken.rogues import score as rogues_score
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.ui.command_input import QUIT, Word
from p2p_shanghaien.ui.language import LANGUAGES, choose
from p2p_shanghaien.ui.plain import PlainTable
from p2p_shanghaien.ui.questions import SHARED
from p2p_shanghaien.ui.view import News, Viewpoint, meant_player, table_of, viewpoint
from p2p_shanghaien.ui.words import say, typed, unaccented
from tests.games.halunken.test_worked_examples import before_the_cards
from tests.sweeps import sweep
from tests.toy import Toy
from tests.ui import halunken, ledger
from tests.ui.desk import Desk
from tests.ui.sitting import rolled
from tests.ui.test_command_input import Game as Sitting
from tests.ui.test_command_input import game
from tests.ui.test_halunken_choices import LOOT

NAMES = ("Ada", "Ben")
PROMPT = "Your choice"


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    choose(request.param)
    yield request.param
    choose("en")


def asked(state: State, lines: Sequence[str], of: Game[Any], names: tuple[str, str] = NAMES) -> list[list[str]]:
    """Return what is shown after each of `lines` but the last, which decides for whoever decides in `state`."""
    player = deciders(state.node)[0]
    desk = Desk(lines)
    desk.table.begun(of, names, player)
    assert asyncio.run(desk.table.decide(state, player)) in state.legal(player)
    answers: list[list[str]] = []
    for line in desk.shown():
        if line.startswith(PROMPT):
            answers.append([])
        elif answers:
            answers[-1].append(line)
    return answers[:-1]


def answer(state: State, line: str, of: Game[Any], names: tuple[str, str] = NAMES) -> str:
    """Return the answer to `line` as one text."""
    (lines,) = asked(state, [line, "1"], of, names)
    return " ".join(" ".join(lines).split())


def laid(**fields: object) -> Any:
    """Return a position of Shanghaien: number 1 at the left, Ada has two dice on number 1 and Ben one on 1 and on 6."""
    placed = ((2, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 1))
    crews = (("F1", "F3", "Fp", "A4"), ("F4",))
    state: Any = rolled()
    return state._replace(direction="<", placed=placed, crews=crews, tricks=("pr", ""), **fields)


# Shanghaien


def test_the_row_is_told_card_by_card_and_those_without_dice_together() -> None:
    assert asked(laid(), ["row", "1"], Shanghaien()) == [
        [
            "Number 1, F1 (French): Ben 1 die and You 2 dice. You would take it.",
            "Number 6, A4 (American): Ben 1 die. Ben would take it.",
            "No dice lie on number 2, A1 (American); number 3, A2 (American); number 4, A3",
            "  (American); number 5, A3 (American).",
        ]
    ]


def test_while_either_end_may_be_number_1_the_row_is_told_from_the_left() -> None:
    told = answer(rolled(), "row", Shanghaien())
    assert told.startswith("The row, left to right: F1 (French), A1 (American), A2 (American), A3 (American), A3")
    assert "whoever places the first die decides" in told


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("card 1", "Number 1, F1 (French): Ben 1 die and You 2 dice. You would take it."),
        ("CARD  01", "Number 1, F1 (French): Ben 1 die and You 2 dice. You would take it."),
        ("card 3", "Number 3, A2 (American): no dice."),
        ("card a4", "Number 6, A4 (American): Ben 1 die. Ben would take it."),
        ("card A3", "Number 4, A3 (American): no dice. Number 5, A3 (American): no dice."),
        ("card 7", 'There is no card "7" in the row; the numbers go from 1 to 6.'),
        ("card 0", 'There is no card "0" in the row; the numbers go from 1 to 6.'),
        ("card 99999999", 'There is no card "99999999" in the row; the numbers go from 1 to 6.'),
        ("card ²", 'There is no card "²" in the row; the numbers go from 1 to 6.'),
        ("card -1", 'There is no card "-1" in the row; the numbers go from 1 to 6.'),
        ("card \x1b[2J", r'There is no card "\x1b[2J" in the row; the numbers go from 1 to 6.'),
        ("card", "Type the number of a card as well, such as card 3."),
    ],
)
def test_a_card_by_its_number_or_its_notation(line: str, told: str) -> None:
    assert answer(laid(), line, Shanghaien()) == told


def test_a_card_whose_number_is_open_has_two() -> None:
    assert answer(rolled(), "card 1", Shanghaien()) == (
        "F1 (French): number 1 from the left, 6 from the right. "
        "A4 (American): number 6 from the left, 1 from the right."
    )


OWN = (
    "You have American 4, strength 4, 4 points; French 1 3 p, strength 6, 4 points. "
    "You hold die +/-1, roll again. You have 2 dice left."
)
BENS = "Ben has French 4, strength 4, 0 points. Ben holds no tricks. Ben has 4 dice left."


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("crew ben", BENS),
        ("crew B", BENS),
        ("crew me", OWN),
        ("crew ada", OWN),
        ("crew", f"{BENS} {OWN}"),
        ("crew carl", '"carl" is neither Ada nor Ben.'),
        ("crew benedict", '"benedict" is neither Ada nor Ben.'),
    ],
)
def test_a_crew_by_a_name_or_its_beginning(line: str, told: str) -> None:
    assert answer(laid(), line, Shanghaien()) == told


def test_the_score_is_what_both_would_have_now() -> None:
    assert answer(laid(), "score", Shanghaien()) == (
        "If the game ended now, the score would be 10 for you and 0 for Ben."
    )


# Names


def sitting(first: str, second: str, me: int | None = 0) -> Viewpoint:
    return viewpoint((first, second), me)


@pytest.mark.parametrize(
    ("names", "text", "player"),
    [
        (("Ada", "Ben"), "ada", 0),
        (("Ada", "Anna"), "an", 1),
        (("Ann", "Anna"), "ann", 0),
        (("Ann", "Anna"), "anna", 1),
        (("Élodie", "Ben"), "elo", 0),
        (("Ada Lovelace", "Ben"), "ada lov", 0),
        (("Ada", "Ben"), "ME", 0),
        (("Ada", "Me"), "me", 0),
        (("Ada", "W" * 32), "w" * 32, 1),
        (("Ada", "Ada"), "ada (2)", 1),
        (("Ada", 'Guest "Gustav"'), "gus", 1),
        (("Ada", "Computer (easy)"), "easy", 1),
        (("Gus", 'Guest "Gustav"'), "gus", 0),
    ],
)
def test_a_name_or_a_beginning_that_fits_one_player(names: tuple[str, str], text: str, player: int) -> None:
    assert meant_player(text, sitting(*names)) == player


@pytest.mark.parametrize(
    ("names", "text", "code"),
    [
        (("Ada", "Anna"), "a", "name_of_both"),
        (("Ada B", "Ben"), "(", "name_of_neither"),
        (("Ada", "Ben"), "x", "name_of_neither"),
        (("Ada", "Ben"), "da", "name_of_neither"),
        (("Ada", "Ben"), "\u202e", "name_of_neither"),
    ],
)
def test_any_other_is_explained(names: tuple[str, str], text: str, code: str) -> None:
    found = meant_player(text, sitting(*names))
    assert isinstance(found, News)
    assert found.code == code
    assert "{" not in str(found)


def test_for_an_observer_nobody_is_me() -> None:
    assert isinstance(meant_player("me", sitting("Ada", "Ben", None)), News)


# Halunken


PLACE = before_the_cards((3, 9), 12, ("r4", "g5 g6"), boat="y3 y9", hirer=1)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("space 3", "You stand there."),
        ("space 9", "Ben stands there."),
        ("space 12", "Black Jack stands there."),
        ("space 15", 'There is no space "15"; they go from 1 to 14.'),
        ("space 0", 'There is no space "0"; they go from 1 to 14.'),
        ("space x", 'There is no space "x"; they go from 1 to 14.'),
        ("space", "Type the number of a space as well, such as space 5."),
        ("ring", "Ben is on space 9. You are on space 3. Black Jack is on space 12."),
        ("crew ben", "Ben: g5 and g6."),
        ("crew me", "You: r4. red counts twice. 8 points."),
        ("boat", "Beside the boat: y3 and y9. Ben has hired Black Jack this round."),
        ("score", "If the game ended now, the score would be 8 for you and 22 for Ben."),
        ("cards", "Black Jack: cards "),
    ],
)
def test_questions_at_halunken(line: str, told: str) -> None:
    assert told in answer(PLACE, line, Halunken())


def test_the_ring_names_every_rogue_that_lies_open_and_the_empty_dens() -> None:
    state = PLACE._replace(tops=("", "v11", *PLACE.tops[2:]), left=(0, *PLACE.left[1:]))
    told = answer(state, "ring", Halunken())
    for space, top in enumerate(state.tops, start=1):
        assert not top or f"{space} {top}" in told
    assert told.endswith("Empty: 1.")


def test_in_the_simple_game_there_is_no_boat() -> None:
    state = PLACE._replace(options=PLACE.options._replace(blackjack=False), jack=0, boat=(), hirer=None)
    assert "there is no" not in answer(state, "boat", Halunken())
    assert "In the simple game nobody plays with Black Jack" in answer(state, "boat", Halunken())


def test_an_action_that_is_a_command_elsewhere_is_the_action_where_it_is_legal() -> None:
    """At a theft `leave` takes nothing, as the list says."""

    async def play() -> str:
        sitting = Sitting()
        sitting.table.begun(Halunken(), NAMES, LOOT.player)
        deciding = asyncio.create_task(sitting.table.decide(LOOT, LOOT.player))
        await sitting.wait()
        await sitting.keyboard.type("leave")
        action = await asyncio.wait_for(deciding, 10)
        sitting.listening.cancel()
        await asyncio.gather(sitting.listening, return_exceptions=True)
        return action

    assert asyncio.run(play()) == "leave"


# Any game


@pytest.mark.usefixtures("_toy_is_installed")
def test_any_game_answers_what_every_table_knows() -> None:
    start = Toy().start()
    score, last, moves, table = asked(start, ["score", "last", "moves", "table", "1"], Toy())
    assert score == ["3 rounds left; Ada 0, Ben 0"]
    assert last == ["Nothing has happened here yet."]
    assert len(moves) == len(start.legal(0))
    assert table[0] == score[0]


def games() -> Iterator[tuple[Game[Any], list[State]]]:
    for path in ledger.RECORDS[:2]:
        record = ledger.load(path)
        yield record.game, list(record.positions())
    for path in halunken.GAMES[:2]:
        record = halunken.load(path)
        yield record.game, list(record.positions())


@sweep("charset", ["unicode", "ascii"], every=2)
def test_every_question_is_answered_in_every_position(language: str, charset: str, thorough: bool) -> None:
    """In full sentences that fit the screen, at the end of the game as well."""
    for of, states in games():
        desk = Desk(ascii_only=charset == "ascii")
        desk.table.begun(of, ("Ada", "W" * 32), 1)
        desk.shown()
        for state in states[:: 1 + len(states) // (40 if thorough else 10)] + states[-1:]:
            desk.table.presenter.lay(state)
            for question in desk.table.questions.all():
                for about in ("", "1", "ada", "w", "x y") if question.takes else ("",):
                    line = f"{typed(question.code)[0]} {about}"
                    assert desk.table.answer(line)
                    shown = desk.shown()
                    assert shown
                    text = "\n".join(shown)
                    assert max(map(cell_len, shown)) <= 80, (line, shown)
                    assert "{" not in text
                    assert ":" not in text[:1]
                    assert "question_" not in text
                    assert charset == "unicode" or text.isascii()


def test_the_score_that_is_told_is_that_of_the_rules() -> None:
    """The points of the last position are those that the game ends with; before, those by the crews."""
    for of, states in games():
        table = table_of(of.NAME)
        for state in states:
            if isinstance(state.node, Terminal):
                assert of.NAME != "shanghaien" or table.points(state) == state.node.scores
            elif of.NAME == "halunken":
                crews = [rogues_score(crew).points for crew in state.crews]  # type: ignore[attr-defined]
                earlier = state.scores  # type: ignore[attr-defined]
                assert table.points(state) == (earlier[0] + crews[0], earlier[1] + crews[1])


# What is typed


def test_the_words_of_each_language_and_the_english_ones_ask(language: str) -> None:
    for of in (Shanghaien(), Halunken()):
        desk = Desk()
        desk.table.begun(of, NAMES, 0)
        for question in desk.table.questions.all():
            words = typed(question.code)
            choose("en")
            english = typed(question.code)
            choose(language)
            assert set(english) <= set(words)
            for word in words:
                assert desk.table.answer(word.upper())
                assert desk.table.answer(unaccented(word))


def test_no_word_asks_for_two_things(language: str) -> None:
    for of in (Shanghaien(), Halunken()):
        questions = (*table_of(of.NAME).questions, *SHARED)
        codes = [*(question.code for question in questions), *Word, "ask_rules", "word_help", QUIT, "ask_hint"]
        words = {code: set(map(unaccented, typed(code))) for code in codes}
        for code in codes:
            for other in codes:
                both = {code, other} == {Word.LEAVE, QUIT}
                assert code == other or both or not words[code] & words[other], (code, other)


def test_each_line_of_help_begins_with_what_is_typed(language: str) -> None:
    for of in (Shanghaien(), Halunken()):
        desk = Desk()
        desk.table.begun(of, NAMES, 0)
        for question in desk.table.questions.all():
            line = say(f"{question.code}_help")
            assert line.split(":")[0].split(" ")[0].strip("\xa0").split("\xa0")[0] == typed(question.code)[0]


def test_help_is_asked_for_by_its_word_and_lists_the_questions() -> None:
    shown = asked(rolled(), ["?", "help", "HELP", "1"], Shanghaien())
    assert shown[0] == shown[1] == shown[2]
    told = "\n".join(shown[0])
    for word in ("row: ", "card 3: ", "crew NAME", "score: ", "last: ", "moves: ", "table: ", "quit"):
        assert word in told


# Nothing moves, nothing is lost


@pytest.mark.parametrize("line", ["row", "card 3", "crew ben", "score", "last", "moves", "table", "help", "rules"])
def test_a_question_changes_nothing(line: str) -> None:
    desk = Desk([line, line, "4"])
    desk.table.begun(Shanghaien(), NAMES, 0)
    state = rolled()
    assert asyncio.run(desk.table.decide(state, 0)) == "-5>"
    assert desk.table.presenter.game.state == state
    assert len(set(desk.script.prompts)) == 1


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("scroe", "score"),
        ("tabel", "table"),
        ("rwo", "row"),
        ("crad 3", "card 3"),
        ("crwe ben", "crew ben"),
        ("hlep", "help"),
        ("qiut", "quit"),
        ("ruels", "rules"),
        ("Lsat", "last"),
    ],
)
def test_a_mistyped_word_gets_the_nearest_that_fits(line: str, meant: str) -> None:
    told = answer(rolled(), line, Shanghaien())
    assert told == f'"{line}" is not one of the choices; type ? for help. Did you mean {meant}?'


@pytest.mark.parametrize("line", ["x", "zzzz", "-7", "99", "!x", "…"])
def test_what_is_near_nothing_gets_no_suggestion(line: str) -> None:
    assert "Did you mean" not in answer(rolled(), line, Shanghaien())


def test_a_mistyped_action_gets_the_action() -> None:
    state = Shanghaien().start().apply_chance((0,) * 6)
    assert answer(state, "rol", Shanghaien()).endswith("Did you mean roll?")


@pytest.mark.parametrize("line", ["row 3", "score ben", "table now", "last 5"])
def test_a_word_that_stands_alone_says_so(line: str) -> None:
    assert answer(rolled(), line, Shanghaien()) == f"{line.split(maxsplit=1)[0]} takes no argument; nothing was done."


@game()
async def test_questions_are_answered_while_the_other_player_thinks(game: Sitting) -> None:
    state = rolled()
    game.table.stepped(state, Acted(0, "-5<"), state.apply("-5<"))
    game.shown()
    await game.wait()
    for line, told in (
        ("row", "Number 5, A3 (American): You 1 die."),
        ("card 5", "You would take it."),
        ("crew ben", "Ben has 6 dice left."),
        ("score", "If the game ended now"),
        ("last", "You placed the 5 on A3"),
        ("moves", "You have no choice to make now."),
        ("table", "Round 1 of 8"),
        ("scroe", "It is not your turn; nothing was done. Did you mean score?"),
        ("sya Hello there", "Did you mean say Hello there?"),
        ("help", "say TEXT sends Ben a message"),
    ):
        await game.keyboard.type(line)
        assert told in game.shown(), line
        assert game.commands == []
    assert game.left is None


@game()
async def test_a_question_half_typed_survives_into_ones_turn(game: Sitting) -> None:
    await game.wait()
    game.keyboard.draft = "crew b"
    deciding = game.asks()
    await asyncio.sleep(0.05)
    assert game.keyboard.draft == "crew b"
    deciding.cancel()
    await asyncio.gather(deciding, return_exceptions=True)


@game(interactive=False)
async def test_from_a_pipe_a_question_waits_for_its_turn_as_an_answer_does(game: Sitting) -> None:
    await game.keyboard.type("score", "4")
    await asyncio.sleep(0.4)
    assert "If the game ended now" not in game.shown()
    assert await game.asks() == "-5>"
    assert "If the game ended now" in game.shown()


# Leaving, and help, wherever a line is read


QUITS = ["quit", "exit", "QUIT", " exit "]


@pytest.mark.parametrize("line", QUITS)
def test_quit_and_exit_leave_a_decision(line: str) -> None:
    with pytest.raises(Quit):
        asked(rolled(), [line.strip(), "1"], Shanghaien())


@pytest.mark.parametrize("line", QUITS)
@pytest.mark.parametrize("asks", [False, True])
def test_quit_and_exit_leave_in_a_game_as_leave_does(line: str, asks: bool) -> None:
    @game()
    async def play(game: Sitting) -> None:
        deciding = game.asks() if asks else None
        await game.wait()
        await game.keyboard.type(line)
        if deciding:
            with pytest.raises(Quit):
                await deciding
        else:
            assert isinstance(game.left, Quit)

    play()


@game()
async def test_quit_at_the_question_about_resigning_leaves_and_does_not_resign(game: Sitting) -> None:
    await game.wait()
    await game.keyboard.type("resign", "help")
    assert game.keyboard.prompt == "Resign this game? y/n: "
    assert "Please answer yes or no" in game.shown()
    await game.keyboard.type("quit")
    assert isinstance(game.left, Quit)
    assert game.commands == []


def confirm(lines: Sequence[str]) -> tuple[bool, str]:
    desk = Desk(lines)
    return asyncio.run(desk.table.confirm("play_again")), " ".join(desk.shown())


def test_help_and_leaving_at_a_question_to_be_confirmed() -> None:
    agreed, shown = confirm(["help", "?", "y"])
    assert agreed
    assert shown.count("Please answer yes or no; quit or Ctrl-D leaves.") == 2
    for line in ("quit", "exit"):
        with pytest.raises(Quit):
            confirm([line, "y"])


def test_after_the_game_its_table_can_still_be_asked_about() -> None:
    desk = Desk(["score", "table", "last", "moves", "row", "crew ben", "y"])
    moments = list(ledger.moments(ledger.RECORDS[0]))
    desk.table.begun(Shanghaien(), NAMES, 0)
    for moment in moments:
        desk.table.stepped(moment.before, moment.step, moment.after)
    desk.shown()
    assert asyncio.run(desk.table.confirm("play_again"))
    shown = " ".join(desk.shown())
    assert shown.count("The game is over, 15 to 29: Ben wins.") == 2
    assert "Scoring" in shown
    assert "No cards lie in the row now." in shown
    assert "Ben has " in shown
    assert "neither" not in shown


@pytest.mark.parametrize("line", ["quit", "exit", "beenden"])
def test_help_and_leaving_where_a_line_is_asked_for(line: str) -> None:
    choose("de")
    desk = Desk(["hilfe", "help", "?", "1", line])
    assert asyncio.run(desk.table.ask("ask_table", ("1",), count=1)) == "1"
    assert " ".join(desk.shown()).count("Tippe, wonach gefragt ist") == 3
    with pytest.raises(Quit):
        asyncio.run(desk.table.ask("ask_table", ("1",), count=1))
    choose("en")


# What happened last, and when the table is shown


def test_last_is_the_last_turn_and_this_one() -> None:
    state: Any = Shanghaien().start()
    desk = Desk(["last", "1"])
    desk.table.begun(Shanghaien(), NAMES, 0)
    for step in (
        *(Drawn((0,) * 6), Acted(0, "roll"), Drawn((0, 1)), Acted(0, "-1<")),
        *(Acted(1, "roll"), Drawn((2, 3)), Acted(1, "-3")),
        *(Acted(0, "roll"), Drawn((4, 5))),
    ):
        before, state = state, advance(state, step)
        desk.table.stepped(before, step, state)
    desk.shown()
    asyncio.run(desk.table.decide(state, 0))
    shown = desk.shown()
    at = next(number for number, line in enumerate(shown) if line.startswith(PROMPT)) + 1
    assert shown[at : at + 3] == ["Ben rolled 3 and 4.", "Ben placed the 3 on A3 (American).", "You rolled 5 and 6."]
    assert shown[at + 3].startswith(PROMPT)


def tables(of: Game[Any], me: int | None, is_table: Callable[[str], bool], seed: int = 1) -> tuple[int, int, State]:
    """Play a game with random moves; return how often the table was shown, how often `me` decided, and the end."""
    rng = Random(seed)
    wanted: list[str] = []
    desk = Desk(iter(wanted.pop, None), interactive=False)
    desk.table.begun(of, NAMES, me)
    state: State = of.start()
    decisions = 0

    async def decide(player: int) -> str:
        nonlocal decisions
        if player == me:
            decisions += 1
            choices = desk.table.presenter.choices(state, player)
            wanted.append(rng.choice(choices).action)
            return await desk.table.decide(state, player)
        return rng.choice(state.legal(player))

    async def play() -> State:
        nonlocal state
        while not isinstance(state.node, Terminal):
            node = state.node
            if isinstance(node, Chance):
                step: Step = Drawn(tuple(rng.randrange(bound) for bound in node.bounds))
            elif len(deciders(node)) == 2:
                step = Chosen((await decide(0), await decide(1)))
            else:
                (player,) = deciders(node)
                step = Acted(player, await decide(player))
            before, state = state, advance(state, step)
            desk.table.stepped(before, step, state)
        return state

    end = asyncio.run(play())
    return sum(map(is_table, desk.shown())), decisions, end


@pytest.mark.parametrize("me", [0, 1])
def test_the_whole_table_is_shown_once_a_round_and_not_before_each_decision(me: int) -> None:
    shown, decisions, _ = tables(Shanghaien(), me, lambda line: " of 8; " in line)
    assert shown == 8
    assert decisions > 16
    shown, decisions, _ = tables(Halunken(), me, lambda line: "Black Jack's cards" in line)
    assert shown == 9, "the captains' places, the dens turned up, and rounds 2 to 8"
    assert decisions > 16


def test_a_game_taken_up_again_shows_the_table_once() -> None:
    desk = Desk(["4"])
    state = rolled()
    desk.table.begun(Shanghaien(), NAMES, 0, state)
    asyncio.run(desk.table.decide(state, 0))
    assert sum(line.startswith("1 at left") for line in desk.shown()) == 1


def test_without_the_table_a_decision_says_what_is_to_be_decided() -> None:
    desk = Desk(["1"], interactive=False)
    desk.table.begun(Halunken(), NAMES, LOOT.player, LOOT)
    desk.shown()
    asyncio.run(desk.table.decide(LOOT, LOOT.player))
    assert desk.shown()[0].startswith("You reached Black Jack: steal, or not.")


def test_a_table_without_a_game_answers_nothing() -> None:
    table: PlainTable = Desk().table
    assert not table.answer("score")
    assert not list(table.questions.help())
