"""Extraction of word tables for Babel, so that `pybabel extract` and its setuptools command know a game's sentences.

In the mapping file of a game's distribution:

[extractors] words = p2p_shanghaien.ui.extracting:word_tables

[words: **/words.py]
"""

import ast
from collections.abc import Collection, Iterator, Mapping
from typing import BinaryIO, TypeAlias

Message: TypeAlias = tuple[int, str, tuple[str, ...], list[str]]
"""A line, the gettext function that would look the message up, its arguments, and comments for translators."""


def word_tables(
    file: BinaryIO, keywords: Collection[str], comment_tags: Collection[str], options: Mapping[str, str]
) -> Iterator[Message]:
    """Yield every sentence in the dictionaries of a module: its code is the context, a pair has a plural.

    The signature is Babel's ("Writing Extraction Methods"); tables have neither keywords nor comments for translators.
    """
    del keywords, comment_tags, options
    for node in ast.walk(ast.parse(file.read())):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                yield from _message(key, value)


def _message(key: ast.expr | None, value: ast.expr) -> Iterator[Message]:
    match key, value:
        case ast.Constant(str(code)), ast.Constant(str(text)):
            yield key.lineno, "pgettext", (code, text), []
        case ast.Constant(str(code)), ast.Tuple([ast.Constant(str(one)), ast.Constant(str(many))]):
            yield key.lineno, "npgettext", (code, one, many), []
