"""Practice: a game on the rules alone. The same choices get the same luck, and any decision can be taken back."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.app.practice import Practice, begin, seeded
from p2p_shanghaien.errors import Illegal
from p2p_shanghaien.games import record
from p2p_shanghaien.games.api import Acted, Chosen, Drawn, Game, Simultaneous, Terminal, action_of
from p2p_shanghaien.games.record import Ended
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.players import computer_player
from p2p_shanghaien.players.uniform import choose as at_random
from tests.practised import Reply, answered, by_level, choose
from tests.toy import Toy

PIG = Path(__file__).parents[2] / "examples" / "pig"


def pig() -> Game[Any]:
    """Return the game of the example, without installing it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(PIG))
        from shanghaien_pig.game import Pig

        game: Game[Any] = Pig.from_settings({})
    return game


GAMES: dict[str, Game[Any]] = {
    **{name: RULES[name].from_settings({}) for name in ("shanghaien", "halunken")},
    "pig": pig(),
    "toy": Toy.from_settings({}),
}

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
seeds = st.integers(0, 10**9).map(str)
players = st.sampled_from((0, 1))


def random_reply(seed: str) -> Reply:
    return by_level(at_random, seed)


def played(practice: Practice, reply: Reply, rng: Random, limit: int = 1000) -> list[Practice]:
    """Return the courses before each decision that `practice.me` takes at random, and the last one."""
    course = [answered(practice, reply)]
    while course[-1].deciders and len(course) <= limit:
        action = rng.choice(course[-1].state.legal(practice.me))
        course.append(choose(course[-1], action, reply))
    return course


@every_game
@given(seed=seeds, me=players)
def test_a_game_comes_to_its_end(game: Game[Any], seed: str, me: int) -> None:
    end = played(begin(game, seeded(seed), me), random_reply(seed), Random(seed))[-1]
    assert isinstance(end.state.node, Terminal)
    assert end.deciders == ()
    # a record of these steps leads to the same end
    text = record.write(end.record(("Ada", "Ben")))
    again = record.read(text.encode(), {game.NAME: type(game)})
    assert again.last() == end.state
    assert record.write(again) == text
    assert again.is_practice


@every_game
@given(seed=seeds, me=players, data=st.data())
def test_the_same_choice_gets_the_same_luck(game: Game[Any], seed: str, me: int, data: st.DataObject) -> None:
    reply = random_reply(seed)
    course = played(begin(game, seeded(seed), me), reply, Random(seed), limit=40)
    before = course[data.draw(st.integers(0, len(course) - 2))]
    action = data.draw(st.sampled_from(before.state.legal(me)))
    after = choose(before, action, reply)
    assert choose(before, action, reply) == after
    back = after.undone()
    if len(before.state.legal(me)) > 1:
        assert back == before
        assert choose(back, action, reply) == after


@every_game
@given(seed=seeds, me=players)
def test_undo_goes_through_all_decisions_to_the_first(game: Game[Any], seed: str, me: int) -> None:
    reply = random_reply(seed)
    start = begin(game, seeded(seed), me)
    course = played(start, reply, Random(seed))
    decisions = [each for each in course[:-1] if len(each.state.legal(me)) > 1]
    practice, back = course[-1], []
    while earlier := practice.undone():
        assert practice.can_undo
        assert me in earlier.deciders
        back.append(earlier)
        practice = earlier
    assert back[::-1] == decisions
    assert not practice.can_undo
    assert not any(action_of(step, me) is not None and len(state.legal(me)) > 1 for state, step, _ in practice.since(0))


@given(seed=seeds)
def test_another_choice_may_get_other_luck(seed: str) -> None:
    """In Shanghaien, another die placed leads to another roll, in one game of many at least."""
    game, reply = GAMES["shanghaien"], random_reply(seed)
    course = played(begin(game, seeded(seed)), reply, Random(seed), limit=60)
    found = False
    for before in course[:-1]:
        followed = {
            tuple(step.indices for step in after.steps[len(before.steps) :] if isinstance(step, Drawn))
            for action in before.state.legal(0)
            for after in [choose(before, action, reply)]
        }
        found |= len(followed) > 1
    assert found


def test_seeds_differ() -> None:
    rows = {begin(GAMES["shanghaien"], seeded(str(seed))).state.encode() for seed in range(50)}
    assert len(rows) == 50


def test_seeded_luck_is_even() -> None:
    """The first die of Pig: each face about as often as any other."""
    counts = [0] * 6
    for seed in range(3000):
        practice = begin(GAMES["pig"], seeded(str(seed)))
        while not any(isinstance(step, Drawn) for step in practice.steps):
            practice = practice.decide({practice.deciders[0]: "roll"})
        (drawn,) = [step.indices[0] for step in practice.steps if isinstance(step, Drawn)][:1]
        counts[drawn] += 1
    # six standard deviations from 500
    assert all(abs(count - 500) < 125 for count in counts), counts


def test_a_secret_choice_is_made_without_knowledge_of_the_other() -> None:
    """At the same time: the reply sees no choice of the local player, and stays what it is after undo."""
    seen: list[Sequence[object]] = []

    def reply(practice: Practice) -> str:
        if isinstance(practice.state.node, Simultaneous):
            seen.append(practice.steps)
        return random_reply("reply")(practice)

    before = answered(begin(GAMES["halunken"], seeded("secret")), reply)
    while not isinstance(before.state.node, Simultaneous):
        before = choose(before, before.state.legal(0)[0], reply)
    seen.clear()
    made = set()
    for action in before.state.legal(0):
        after = choose(before, action, reply)
        chosen = after.steps[len(before.steps)]
        assert isinstance(chosen, Chosen)
        assert chosen.actions[0] == action
        made.add(chosen.actions[1])
        assert seen[0] == before.steps
        assert after.undone() is not None
        seen.clear()
    assert len(made) == 1
    assert len(before.state.legal(0)) > 1


@pytest.mark.parametrize("name", ["shanghaien", "halunken"])
def test_our_levels_reply(name: str) -> None:
    reply = by_level(computer_player(name, "easy"), "level")
    practice = answered(begin(GAMES[name], seeded("level"), 1), reply)
    assert practice.steps[-1] is not None
    assert 1 in practice.deciders
    assert practice.steps == answered(begin(GAMES[name], seeded("level"), 1), reply).steps


def test_a_level_that_plays_by_chance_does_not_always_draw_the_same() -> None:
    """After the first roll of Pig that is none of one, the other way for other dice."""
    reply, chosen = by_level(at_random, "level"), set()
    for seed in range(30):
        steps = answered(begin(GAMES["pig"], seeded(f"dice {seed}"), 1), reply).steps
        chosen |= {step.action for step in steps[2:3] if isinstance(step, Acted) and step.player == 0}
    assert chosen == {"roll", "hold"}


def test_what_is_illegal_changes_nothing() -> None:
    practice = begin(GAMES["shanghaien"], seeded("illegal"))
    with pytest.raises(Illegal):
        practice.decide({0: "#"})
    with pytest.raises(Illegal):
        choose(practice, "nonsense", random_reply("illegal"))
    assert practice.steps == begin(GAMES["shanghaien"], seeded("illegal")).steps
    assert practice.undone() is None
    end = played(practice, random_reply("illegal"), Random(1))[-1]
    with pytest.raises(Illegal):
        end.decide({0: "roll"})


def test_luck_beyond_its_bounds_is_illegal() -> None:
    with pytest.raises(Illegal):
        begin(GAMES["shanghaien"], lambda _, __: [99])


def test_an_unfinished_game_is_on_record() -> None:
    practice = begin(GAMES["pig"], seeded("record"), 1).decide({0: "roll"})
    text = record.write(replace(practice.record(("Ada", "Ben")), ended=Ended(1)))
    assert '[Practice "yes"]' in text
    assert '[Ended "1 resigned"]' in text
    assert not record.read(text.replace('"yes"', '"no"').encode(), {"pig": type(GAMES["pig"])}).is_practice


@every_game
def test_steps_with_their_positions(game: Game[Any]) -> None:
    practice = played(begin(game, seeded("since")), random_reply("since"), Random(1), limit=3)[-1]
    steps = list(practice.since(0))
    assert [step for _, step, _ in steps] == list(practice.steps)
    assert steps[0].before == game.start()
    assert steps[-1].after == practice.state
    assert all(one.after == other.before for one, other in pairwise(steps))
    assert list(practice.since(len(practice.steps))) == []
