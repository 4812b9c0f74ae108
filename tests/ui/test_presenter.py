"""The presenter: it is notified of a game as by a session, and nothing is drawn."""

from collections.abc import Iterator, Sequence

import pytest

from p2p_shanghaien.errors import AppCode, LocalError
from p2p_shanghaien.games.api import Acted, Chosen, Drawn, State, Terminal, Turn
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.players import Option, PositionValue
from p2p_shanghaien.ui.advice import Advice
from p2p_shanghaien.ui.language import LANGUAGES, choose
from p2p_shanghaien.ui.presenter import DELIBERATE, ENDINGS, TONES, Confirmation, Presenter, Tone, sentence
from p2p_shanghaien.ui.view import ASCII, UNICODE
from p2p_shanghaien.ui.words import say, typed
from tests.toy import Toy
from tests.ui.ledger import RECORDS, moments

NAMES = ("Ada", "Ben")
GAME = Shanghaien()


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    choose("en")


def presenter(me: int | None = 0, *, ascii_only: bool = False, state: State | None = None) -> Presenter:
    """Somebody sits at a game of Shanghaien."""
    made = Presenter(ASCII if ascii_only else UNICODE)
    made.begun(GAME, NAMES, me, state)
    return made


def dealt() -> State:
    return GAME.start().apply_chance((0,) * 6)


def rolled() -> State:
    return dealt().apply("roll").apply_chance((4, 1))


def test_before_a_game_nobody_is_seated() -> None:
    made = Presenter(UNICODE)
    assert (made.seated, made.is_playing, made.draw) == (None, False, None)
    with pytest.raises(LookupError):
        _ = made.game


@pytest.mark.parametrize(
    ("me", "announced"),
    [
        (0, "Shanghaien (variant standard, tricks p3 b3 r2): you are Ada and play against Ben."),
        (1, "Shanghaien (variant standard, tricks p3 b3 r2): you are Ben and play against Ada."),
        (None, "Shanghaien (variant standard, tricks p3 b3 r2): Ada against Ben."),
    ],
)
def test_a_game_is_announced_and_lies_on_the_table(me: int | None, announced: str) -> None:
    made = Presenter(UNICODE)
    said = made.begun(GAME, NAMES, me, dealt())
    assert str(said) == announced
    game = made.game
    assert (game.name, game.names, game.viewpoint.me, game.state) == ("shanghaien", NAMES, me, dealt())
    assert game.other == ("Ada" if me == 1 else "Ben")
    assert made.is_playing
    made.begun(GAME, NAMES, me)
    assert made.game.state == GAME.start()


def test_what_was_told_of_one_game_is_gone_in_the_next() -> None:
    made = presenter()
    *_, last = moments(RECORDS[0])
    made.stepped(last.before, last.step, last.after)
    assert (made.is_playing, made.game.is_over) == (False, True)
    assert made.stage == (last.before, last.step, last.after)
    made.begun(GAME, NAMES, 1)
    assert (made.is_playing, made.game.is_over) == (True, False)
    assert not made.stage


def test_the_person_is_called_where_somebody_else_has_had_their_turn() -> None:
    made, state = presenter(), dealt()
    assert made.begin_decision(state), "a game begins"
    assert not made.begin_decision(state)
    made.stepped(state, Acted(0, "roll"), state.apply("roll"))
    made.stepped(state.apply("roll"), Drawn((4, 1)), rolled())
    assert not made.begin_decision(rolled()), "it was the same person"
    theirs = dealt()._replace(player=1)  # type: ignore[attr-defined]
    made.stepped(theirs, Acted(1, "roll"), theirs.apply("roll"))
    assert made.begin_decision(state)


@pytest.mark.usefixtures("_toy_is_installed")
def test_after_a_secret_choice_the_person_is_called_and_the_table_of_the_new_stage_is_due() -> None:
    start = Toy().start()
    for me, shows in ((0, True), (1, True), (None, True)):
        made = Presenter(UNICODE)
        made.begun(Toy(), NAMES, me)
        assert made.begin_decision(start)
        view = made.stepped(start, Chosen(("2", "2")), start.apply_joint(("2", "2")))
        assert view.shows_table == shows
        assert made.begin_decision(made.game.state)


def test_a_roll_whose_dice_are_not_known_tells_nothing() -> None:
    view = presenter().stepped(dealt(), Acted(0, "roll"), dealt().apply("roll"))
    assert (view.told, view.stage, view.result) == ((), None, None)


def test_the_end_of_a_game() -> None:
    made = presenter(1)
    *_, last = moments(RECORDS[0])
    view = made.stepped(last.before, last.step, last.after)
    assert view.stage == (last.before, last.step, last.after)
    assert view.result
    assert (str(view.result), view.result.tone) == ("The game is over, 29 to 15: you win.", Tone.STRONG)
    assert str(made.ending) == str(view.result)
    assert isinstance(made.game.state.node, Terminal)


@pytest.mark.parametrize("code", ENDINGS)
def test_other_endings(code: str) -> None:
    made = presenter()
    made.thinking = "Ben"
    made.notify(code, name="Ben", other="Ada", number=7, reason="bad_signature")
    assert str(made.ending) == say(ENDINGS[code], name="Ben", other="Ada")
    assert not made.is_playing
    assert made.thinking is None


def test_the_connection() -> None:
    made = presenter()
    seen = []
    for code in ("waiting", "against_computer", "chat", "interrupted_game", "thinks", "reconnected"):
        made.notify(code, name="Ben")
        seen.append(made.connection)
    assert seen == ["none", "here", "here", "away", "away", "here"]


def test_tones() -> None:
    assert sentence("chat", name="Ben", text="hi").tone == Tone.CHAT
    assert sentence("thinks", name="Ben").tone == Tone.NEWS
    for code in (*DELIBERATE, "opponent_name_taken", "opponent_lookalike", "peer_broke_rules"):
        assert sentence(code).tone == Tone.WARNING
    assert not [code for code in TONES if say(code) == code], "each is the code of a sentence"


@pytest.mark.parametrize("language", LANGUAGES)
def test_answers(language: str) -> None:
    choose(language)
    quick = Confirmation.of("play_again")
    yes, no = say("answers_yes").split(), say("answers_no").split()
    for word in (*yes, "yes", "y", "Y", yes[0].upper()):
        assert quick.answer(word) is True
    for word in (*no, "no", "n", "NO"):
        assert quick.answer(word) is False
    assert (quick.answer(""), quick.answer("maybe")) == (None, None)
    assert set(quick.words) == {*typed("answers_yes"), *typed("answers_no")}
    for code in DELIBERATE:
        slow = Confirmation.of(code, name="Ben")
        assert slow.answer(yes[0]) is slow.answer("yes") is slow.answer(yes[0].upper()) is True
        assert slow.answer(yes[-1]) is slow.answer("y") is None
        assert slow.answer(no[-1]) is slow.answer("no") is False
        assert yes[0] in slow.prompt
        assert not slow.words


def test_an_accent_may_be_missing() -> None:
    choose("it")
    assert Confirmation.of(min(DELIBERATE)).answer("si") is True


def test_choices_stand_in_the_games_order_in_the_characters_that_there_are() -> None:
    choose("de")
    state = rolled()
    fancy, plain = (presenter(ascii_only=each, state=state).choices(state, 0) for each in (False, True))
    assert [choice.action for choice in fancy] == [choice.action for choice in plain] == list(state.legal(0))
    assert all(choice.words.isascii() for choice in plain)


async def test_advice_of_equal_value_stands_in_the_order_of_the_choices() -> None:
    state = rolled()

    async def advise(state: State, player: int) -> Sequence[Option]:
        return [Option(action, PositionValue(0.5, 0.0)) for action in reversed(state.legal(player))]

    (advice,) = await presenter(state=state).advised(advise, state, [(0, "-5>")])
    assert [hint.choice.action for hint in advice.hints] == list(state.legal(0))
    assert [hint.choice.action for hint in advice.hints if hint.chosen] == ["-5>"]
    assert advice.heading == advice.told()[0]
    assert advice.heading.startswith("Your choices, best first")


async def test_advice_that_fails_says_why() -> None:
    async def fail(state: State, player: int) -> Sequence[Option]:
        raise LocalError(AppCode.ADVICE_FAILED, reason="boom")

    made = presenter(state=rolled())
    failed = "The win probabilities cannot be computed because of a bug in the program (boom)."
    assert await made.advised(fail, rolled(), [(0, None), (1, None)]) == [Advice(failed)], "nor for the other"


def test_what_was_told_is_said_again_in_another_language() -> None:
    """Of a game before this one as well, in which the players had other places."""
    made = Presenter(UNICODE)
    made.begun(GAME, ("You", "Zoë"), 1)
    before, step, after = next(
        (moment.before, moment.step, moment.after)
        for moment in moments(RECORDS[0])
        if isinstance(moment.step, Acted) and moment.before.node == Turn(0) and moment.step.action != "roll"
    )
    (told,) = made.stepped(before, step, after).told
    made.begun(GAME, NAMES, 0)
    assert str(told).startswith("Player 1 ")
    choose("de")
    made.charset = ASCII
    made.put_into_words()
    assert str(told).startswith("Spieler 1 ")
    assert made.game.viewpoint.labels == NAMES
