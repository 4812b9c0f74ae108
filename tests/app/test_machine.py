"""A computer at the table is up for whatever its person wants."""

from random import Random

from p2p_shanghaien.app.participants.computer import Computer
from p2p_shanghaien.fairplay.notes import IF_YOU_LIKE
from p2p_shanghaien.players import computer_player


async def test_it_agrees_and_leaves_another_game_to_the_person() -> None:
    computer = Computer(computer_player("shanghaien", "random"), Random(1), "Computer", lambda _: None)
    assert await computer.agrees("play_with", name="Ada")
    assert await computer.again() == IF_YOU_LIKE
