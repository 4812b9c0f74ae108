"""Output of commands: broken between words at a terminal, not at all in a pipe; help by either of its options."""

from pathlib import Path

import pexpect
import pytest

from p2p_shanghaien.cli.main import COMMANDS
from p2p_shanghaien.cli.output import SEVERITY, worst_exit_code
from p2p_shanghaien.fairplay.verify import EXIT_CODES
from tests.cli.program import PROGRAM, environment, shanghaien
from tests.spawned import Spawned

WORDS = ["players", "forget", "nobody-of-that-name"]


def test_lines_are_broken_between_words_at_a_terminal_alone(tmp_path: Path) -> None:
    variables = environment(tmp_path, TERM="xterm-256color")
    # it would count for more than the terminal does
    variables.pop("COLUMNS", None)
    child = Spawned([*PROGRAM, *WORDS], variables, size=(24, 40))
    child.expect(pexpect.EOF)
    lines = (child.before or "").rstrip().splitlines()
    assert child.wait() == 1
    said = shanghaien(tmp_path, *WORDS).stderr.rstrip("\n")
    assert "\n" not in said
    assert len(lines) > len(said) // 40
    assert all(len(line) <= 40 for line in lines)
    assert " ".join(line.strip() for line in lines) == said


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_a_short_option_at_every_command(tmp_path: Path, command: str) -> None:
    help_, short = (shanghaien(tmp_path, command, option) for option in ("--help", "-h"))
    assert (short.returncode, short.stderr) == (0, "")
    assert short.stdout == help_.stdout
    assert "-h, --help" in short.stdout


def test_of_several_files_the_worst_counts() -> None:
    """The order of SPEC 9.2, in which each verdict's exit code has its place."""
    assert set(SEVERITY) == set(EXIT_CODES.values())
    cases = ((), [0, 5], [5, 1, 0], [1, 3], [3, 6, 0])
    assert [worst_exit_code(codes) for codes in cases] == [0, 5, 1, 3, 6] == list(SEVERITY)
