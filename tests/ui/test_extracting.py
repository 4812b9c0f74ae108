"""Babel's own extraction finds every sentence of a word table."""

from pathlib import Path

import pytest
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_file

from p2p_shanghaien.games.shanghaien import lesson_words, rulebook, words
from p2p_shanghaien.ui.language import Template
from tests.toy_table import words as toy

METHOD = "p2p_shanghaien.ui.extracting:word_tables"


def test_every_sentence_is_found_under_its_code(tmp_path: Path) -> None:
    modules = (words, rulebook, lesson_words)
    found = {code: template for module in modules for code, template in extracted(module.__file__).items()}
    assert found == words.WORDS
    assert extracted(toy.__file__) == toy.WORDS


@pytest.mark.parametrize("source", ["", "WORDS = {**OTHERS, 1: 'a', 'b': 2, 'c': ('d',), 'e': f'{f}'}", "X = {}"])
def test_what_is_no_sentence_is_left(tmp_path: Path, source: str) -> None:
    path = tmp_path / "words.py"
    path.write_text(source, encoding="utf-8")
    assert extracted(str(path)) == {}


def extracted(path: str | None) -> dict[str, Template]:
    assert path is not None
    found: dict[str, Template] = {}
    for _, message, _, context in extract_from_file(METHOD, path, DEFAULT_KEYWORDS):
        assert context is not None
        found[context] = message if isinstance(message, str) else (message[0], message[1])
    return found
