"""Commands besides answers: they are understood at any time, and never taken for an answer, nor the reverse."""

import asyncio
import io
import itertools
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import pytest
from rich.console import Console

from p2p_shanghaien.errors import Quit
from p2p_shanghaien.games.api import Acted, Drawn, advance
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.players import Advise
from p2p_shanghaien.session.participant import Accept, Chat, Command, Offer, Resign
from p2p_shanghaien.text import MAX_CHAT
from p2p_shanghaien.ui.command_input import Word, begins_command, spoken
from p2p_shanghaien.ui.plain import PlainTable
from p2p_shanghaien.ui.reading import InputEnded
from p2p_shanghaien.ui.screen import Screen
from p2p_shanghaien.ui.turn_call import TurnCall
from p2p_shanghaien.ui.words import say
from tests.ui.desk import Desk
from tests.ui.sitting import rolled


class Keyboard:
    """A reader whose lines are typed by the test; `prompt` is what stands there now, None for nothing."""

    def __init__(self, *, interactive: bool = True) -> None:
        self.is_interactive = interactive
        self.prompt: str | None = None
        self.prompts: list[str] = []
        self.completions: Sequence[str] = ()
        self.draft = ""
        self.forgot = 0
        self.lines: asyncio.Queue[str | type[Quit]] = asyncio.Queue()

    def forget(self) -> None:
        self.forgot += 1
        self.draft = ""

    def ask(self, prompt: str, completions: Sequence[str] = ()) -> None:
        self.prompt, self.completions = prompt, completions
        self.prompts.append(prompt)

    async def read(self, prompt: str, completions: Sequence[str] = ()) -> str:
        self.ask(prompt, completions)
        try:
            line = await self.lines.get()
        finally:
            self.prompt = None
        if isinstance(line, str):
            return line.strip()
        if line is InputEnded:
            self.lines.put_nowait(line)  # the end is the end
        raise line

    async def type(self, *lines: str | type[Quit]) -> None:
        for line in lines:
            self.lines.put_nowait(line)
            await quiet()


async def quiet() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


class Game:
    """A person at a table in a game, listened to; the tests ask and type."""

    def __init__(self, *, interactive: bool = True, advise: Advise | None = None) -> None:
        self.desk = Desk()
        self.keyboard = Keyboard(interactive=interactive)
        self.table = PlainTable(self.desk.screen, self.keyboard, advise=advise)
        self.table.begun(Shanghaien(), ("Ada", "Ben"), 0)
        self.commands: list[Command] = []
        self.left: BaseException | None = None
        self.listening = asyncio.create_task(self.listen())

    async def listen(self) -> None:
        try:
            while True:
                self.commands.append(await self.table.command())
        except Quit as left:
            self.left = left

    def asks(self) -> "asyncio.Task[str]":
        state = rolled()
        return asyncio.create_task(self.table.decide(state, 0))

    async def wait(self) -> None:
        """Until there is a prompt: right after an answer there is none for a moment."""
        while self.keyboard.prompt is None:
            await asyncio.sleep(0.01)

    def shown(self) -> str:
        return " ".join(self.desk.shown())


def game(interactive: bool = True) -> Callable[[Callable[[Game], Coroutine[Any, Any, None]]], Callable[[], None]]:
    def of(test: Callable[[Game], Coroutine[Any, Any, None]]) -> Callable[[], None]:
        def run() -> None:
            async def play() -> None:
                at_table = Game(interactive=interactive)
                async with asyncio.timeout(10):
                    await test(at_table)
                at_table.listening.cancel()
                await asyncio.gather(at_table.listening, return_exceptions=True)
                assert at_table.keyboard.prompt is None, "nothing is read once nobody waits"

            asyncio.run(play())

        run.__name__, run.__doc__ = test.__name__, test.__doc__
        return run

    return of


SAID = [
    ("say hello", Chat("hello")),
    ("SAY  Hello,   you ", Chat("Hello, you")),
    ("say say", Chat("say")),
    ("say resign", Chat("resign")),
    ("say \x1b[31mred\u202e", Chat("[31mred")),
    ("say " + "x" * 999, Chat("x" * MAX_CHAT)),
    ("offer", Offer()),
    ("Accept", Accept()),
]


@pytest.mark.parametrize("asked", [False, True])
@pytest.mark.parametrize(("typed", "command"), SAID, ids=range(len(SAID)))
def test_a_command_is_heard_whether_something_is_asked_or_not(typed: str, command: Command, asked: bool) -> None:
    @game()
    async def play(game: Game) -> None:
        question = game.asks() if asked else None
        await game.wait()
        await game.keyboard.type(typed)
        assert game.commands == [command]
        await game.wait()
        await game.keyboard.type(typed)
        assert game.commands == [command, command]
        if question:
            await game.keyboard.type("4")
            assert await question == "-5>"
        assert game.left is None

    play()


@pytest.mark.parametrize("typed", ["say", "say  ", "say \x1b\u200b", "resign now", "offer 1", "accept it", "leave me"])
def test_what_is_only_nearly_a_command_is_explained(typed: str) -> None:
    @game()
    async def play(game: Game) -> None:
        await game.wait()
        game.shown()
        await game.keyboard.type(typed)
        assert game.commands == []
        assert game.left is None
        assert ("say hello" if typed.startswith("say") else "takes no argument") in game.shown()

    play()


@game()
async def test_resigning_is_asked_once_more(game: Game) -> None:
    await game.wait()
    for no in ("n", "no", "", "1", "resign"):
        await game.keyboard.type("resign")
        assert game.keyboard.prompt == "Resign this game? y/n: "
        await game.keyboard.type(no)
        assert game.commands == []
    await game.keyboard.type("resign", "Y")
    assert game.commands == [Resign()]


@game()
async def test_a_question_that_comes_while_resigning_is_confirmed_waits(game: Game) -> None:
    await game.wait()
    await game.keyboard.type("resign")
    question = game.asks()
    await quiet()
    assert game.keyboard.prompt == "Resign this game? y/n: "
    await game.keyboard.type("n")
    assert not question.done()
    await game.wait()
    assert game.keyboard.prompt is not None
    assert "Your choice" in game.keyboard.prompt
    await game.keyboard.type("1")
    assert await question == "-2<"


@pytest.mark.parametrize("asked", [False, True])
@pytest.mark.parametrize("how", ["leave", "LEAVE", Quit, InputEnded])
def test_leaving(how: str | type[Quit], asked: bool) -> None:
    @game()
    async def play(game: Game) -> None:
        question = game.asks() if asked else None
        await game.wait()
        await game.keyboard.type(how)
        if question:
            with pytest.raises(Quit):
                await question
        else:
            assert isinstance(game.left, Quit)

    play()


@pytest.mark.parametrize("typed", ["1", "-5<", "roll", "#", "nonsense", "y"])
def test_an_answer_typed_too_early_is_refused_and_not_kept(typed: str) -> None:
    @game()
    async def play(game: Game) -> None:
        await game.wait()
        game.shown()
        await game.keyboard.type(typed)
        assert "It is not your turn" in game.shown()
        question = game.asks()
        await quiet()
        assert not question.done()
        await game.keyboard.type("4")
        assert await question == "-5>"

    play()


@game()
async def test_help_and_rules_while_waiting(game: Game) -> None:
    await game.wait()
    assert game.keyboard.prompt == "Waiting for Ben (say, resign, offer, leave; ? for help): "
    words = {"say", "resign", "offer", "accept", "leave", "?", "help", "quit", "exit", "rules"}
    assert set(game.keyboard.completions) == words | {"row", "card", "crew", "score", "last", "moves", "table"}
    await game.keyboard.type("?")
    assert "say TEXT sends Ben a message" in game.shown()
    await game.keyboard.type("rules")
    assert "What you can type" in game.shown()
    await game.keyboard.type("")
    assert game.shown() == "", "an empty line says nothing"


@game()
async def test_help_and_completion_of_a_question_tell_the_words_as_well(game: Game) -> None:
    question = game.asks()
    await game.wait()
    assert {"-5<", "?", "rules", "say", "resign", "offer", "accept", "leave"} <= set(game.keyboard.completions)
    await game.keyboard.type("?")
    shown = game.shown()
    assert "say TEXT sends Ben a message" in shown
    assert "place 5 on A1" in shown
    question.cancel()
    await quiet()


@game()
async def test_one_prompt_changes_with_the_turn(game: Game) -> None:
    await game.wait()
    reading = len(game.keyboard.prompts)
    question = game.asks()
    await quiet()
    assert game.keyboard.prompts[reading:] == ["Your choice (1-4, ? for help): "]
    question.cancel()
    await quiet()
    assert game.keyboard.prompt is not None
    assert game.keyboard.prompt.startswith("Waiting for Ben")


@game()
async def test_between_two_questions_that_follow_each_other_there_is_no_other_prompt(game: Game) -> None:
    for _ in range(3):
        question = game.asks()
        await game.wait()
        await game.keyboard.type("1")
        await question
    assert not [prompt for prompt in game.keyboard.prompts if "Waiting" in prompt]


@pytest.mark.parametrize(
    ("draft", "kept"),
    [("", False), ("1", False), ("-5", False), ("roll", False), ("say", True), ("say 1", True), ("re", True)],
)
def test_only_a_remark_being_typed_survives_into_a_question(draft: str, kept: bool) -> None:
    @game()
    async def play(game: Game) -> None:
        await game.wait()
        game.keyboard.draft = draft
        question = game.asks()
        await quiet()
        assert game.keyboard.draft == (draft if kept else "")
        assert game.keyboard.forgot == (not kept)
        question.cancel()
        await quiet()

    play()


# Pipes


@game(interactive=False)
async def test_from_a_pipe_lines_wait_for_their_question_and_remarks_do_not(game: Game) -> None:
    await game.keyboard.type("say hello", "4")
    while not game.commands:
        await asyncio.sleep(0.01)
    assert game.commands == [Chat("hello")]
    await game.keyboard.type("say later", "1", InputEnded)
    await asyncio.sleep(0.4)
    assert len(game.commands) == 1, "what stands behind an answer waits for its turn"
    assert await game.asks() == "-5>"
    while len(game.commands) < 2:
        await asyncio.sleep(0.01)
    assert await game.asks() == "-2<"
    await asyncio.sleep(0.4)
    assert game.left is None, "the end of a pipe is no wish to leave as long as nothing is asked"
    with pytest.raises(Quit):
        await game.asks()
    assert "Waiting" not in game.shown()


@game(interactive=False)
async def test_a_line_that_waits_may_answer_what_is_asked_after_the_game(game: Game) -> None:
    await game.keyboard.type("no")
    await asyncio.sleep(0.4)
    game.listening.cancel()
    await asyncio.gather(game.listening, return_exceptions=True)
    assert not await game.table.confirm("play_again")


@game()
async def test_what_was_said_at_the_end_of_a_game_is_not_said_in_the_next(game: Game) -> None:
    question = game.asks()
    await game.wait()
    game.keyboard.lines.put_nowait("offer")
    game.keyboard.lines.put_nowait("offer")
    await quiet()
    game.listening.cancel()
    question.cancel()
    await asyncio.gather(game.listening, question, return_exceptions=True)
    game.commands.clear()
    game.table.begun(Shanghaien(), ("Ada", "Ben"), 0)
    game.listening = asyncio.create_task(game.listen())
    await game.wait()
    assert game.commands == []


@game(interactive=False)
async def test_an_interrupt_is_a_wish_to_leave_there_too(game: Game) -> None:
    await game.wait()
    await game.keyboard.type(Quit)
    assert game.left is not None


# Where nobody listens, the words mean nothing


def test_without_a_listener_the_words_are_no_remarks() -> None:
    desk = Desk(["say hello", "leave", "1"])
    desk.table.begun(Shanghaien(), ("Ada", "Ben"), 0)
    state = rolled()
    assert asyncio.run(desk.table.decide(state, 0)) == "-2<"
    assert " ".join(desk.shown()).count("not one of the choices") == 2
    assert "say" not in desk.script.completions


@game()
async def test_confirming_after_the_game_works_as_before_it(game: Game) -> None:
    await game.wait()
    game.listening.cancel()
    await asyncio.gather(game.listening, return_exceptions=True)
    asking = asyncio.create_task(game.table.confirm("play_again"))
    await game.wait()
    await game.keyboard.type("say hi", "yes")
    assert await asking
    assert game.commands == []


def test_words_are_told_apart() -> None:
    assert spoken("say") == (Word.SAY, "")
    assert spoken("sayhello") is None
    assert spoken("1") is None
    assert begins_command(" sa")
    assert not begins_command("x")
    for word in Word:
        assert begins_command(say(word))


# The bell


def rings(desk: Desk) -> int:
    return " ".join(desk.shown()).count("\a")


@pytest.mark.parametrize(("bell", "terminal", "count"), [(True, True, 1), (False, True, 0), (True, False, 0)])
def test_the_bell_rings_when_it_becomes_ones_turn(bell: bool, terminal: bool, count: int) -> None:
    desk = Desk(["1"] * 9, terminal=terminal)
    hours = itertools.count(0, 3600)
    table = PlainTable(desk.screen, desk.script, bell=bell, call=TurnCall(clock=lambda: float(next(hours))))
    game = Shanghaien()
    table.begun(game, ("Ada", "Ben"), 0)
    state = rolled()

    def decide() -> int:
        asyncio.run(table.decide(state, 0))
        return rings(desk)

    assert decide() == count, "the first turn of all"
    assert decide() == 0, "it was one's turn already"
    own = advance(state, Acted(0, "-5<"))
    table.stepped(state, Acted(0, "-5<"), own)
    assert decide() == 0
    other = advance(own, Acted(1, "roll"))
    table.stepped(own, Acted(1, "roll"), other)
    table.stepped(other, Drawn((0, 1)), advance(other, Drawn((0, 1))))
    assert decide() == count


def test_a_terminal_without_colour_or_cursor_rings_all_the_same() -> None:
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, color_system=None, _environ={"TERM": "dumb"})
    Screen(console).ring()
    assert file.getvalue() == "\a"
