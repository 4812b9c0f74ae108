"""Output of commands: broken between words at a terminal, and not at all in a pipe."""

from pathlib import Path

import pexpect

from tests.cli.program import PATIENCE, PROGRAM, environment, shanghaien

WORDS = ["players", "forget", "nobody-of-that-name"]


def test_lines_are_broken_between_words_at_a_terminal_alone(tmp_path: Path) -> None:
    variables = environment(tmp_path, TERM="xterm-256color")
    # it would count for more than the terminal does
    variables.pop("COLUMNS", None)
    child = pexpect.spawn(PROGRAM[0], [*PROGRAM[1:], *WORDS], env=variables, dimensions=(24, 40), encoding="utf-8")
    child.expect(pexpect.EOF, timeout=PATIENCE)
    lines = (child.before or "").rstrip().splitlines()
    child.close()
    assert child.exitstatus == 1
    said = shanghaien(tmp_path, *WORDS).stderr.rstrip("\n")
    assert "\n" not in said
    assert len(lines) > len(said) // 40
    assert all(len(line) <= 40 for line in lines)
    assert " ".join(line.strip() for line in lines) == said
