"""Handshakes shown to others, as lines of text (SPEC 8.5): which lines count, and that all others are passed over."""

import json

import pytest

from p2p_shanghaien.fairplay.hello import Head
from p2p_shanghaien.fairplay.verify import KeptHandshake
from p2p_shanghaien.store.lines import handshake_lines, read_shown
from tests.sweeps import together

KEPT = KeptHandshake((b"host", b"guest"), (b"\x0a" * 64, b"\x0b" * 64), Head(7, b"\x0c" * 32))
LINE = handshake_lines([KEPT])
HEAD = "0c" * 32


def test_what_is_written_is_read() -> None:
    assert read_shown(LINE) == [KEPT]
    assert set(json.loads(LINE)) == {"hellos", "proofs", "theirs"}, "and nothing else, the secret above all"
    assert read_shown(LINE * 2) == [KEPT, KEPT]
    assert read_shown(b"") == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[7,", "[7.0,"),
        ("[7,", "[70e-1,"),
        (HEAD, HEAD.upper()),
        ("{", '{"more": [null, {}], '),
        ("{", '{"theirs": 1, '),
        ("{", '{"more": [[{"": [[[[]]]]}]], '),
        ("{", '{"more": "[[[[[[[[[\\"[", '),
        ("{", f'{{"more": {"9" * 5000}, '),
        ("{", " \t{"),
        ("}\n", "} \r\n"),
    ],
)
def test_a_line_counts_however_its_json_is_written(old: str, new: str) -> None:
    assert read_shown(LINE.decode().replace(old, new, 1).encode()) == [KEPT]


@together(
    ("old", "new"),
    [
        ("[7,", "[7.5,"),
        ("[7,", "[-1,"),
        ("[7,", f"[{1 << 32},"),
        ("[7,", "[true,"),
        ("[7,", '["7",'),
        ("[7,", "[NaN,"),
        ("[7,", "[Infinity,"),
        ("[7,", "[1e999,"),
        (HEAD, HEAD[2:]),
        (HEAD, f"{HEAD}0c"),
        (HEAD, f" {HEAD}"),
        (HEAD, HEAD.replace("0c0c", "0c 0c", 1)),
        (HEAD, f"0x{HEAD[2:]}"),
        (HEAD, HEAD[1:]),
        ("0a0a", "0a"),
        ("hellos", "other"),
        ("{", '{"more": NaN, '),
        ("{", '{"more": [[{"": [[[[[]]]]]}]], '),
        ("{", '{"more": [[[[[[[[]]]]]]]], "more": 1, '),
        ("[7,", f"[7{'0' * 5000},"),
        ("{", "\ufeff{"),
        ("{", "{\n"),
        ("}", ""),
        (LINE.decode(), "[]\n"),
        (LINE.decode(), "[" * 100_000),
    ],
)
def test_every_other_line_is_passed_over(old: str, new: str) -> None:
    other = LINE.decode().replace(old, new, 1).encode()
    assert other != LINE
    assert read_shown(other + b"\n" + LINE) == [KEPT]


def test_text_in_another_encoding_is_passed_over() -> None:
    assert read_shown(LINE.decode().strip().encode("utf-16-le") + b"\n\xff\n" + LINE) == [KEPT]
