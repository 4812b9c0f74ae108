"""All classes of errors, and the package's enums of their codes, wherever they are defined."""

from importlib import import_module
from pkgutil import walk_packages

import p2p_shanghaien
from p2p_shanghaien.errors import Code, ShanghaienError
from p2p_shanghaien.games.registry import GAMES


def errors() -> list[type[ShanghaienError]]:
    _import_all()
    found: dict[type[ShanghaienError], None] = {}
    waiting: list[type[ShanghaienError]] = [ShanghaienError]
    while waiting:
        kind = waiting.pop()
        found[kind] = None
        waiting += kind.__subclasses__()
    return list(found)


def codes() -> list[type[Code]]:
    """Return the enums of the program and of its installed games: a game that is not registered yet has no words."""
    _import_all()
    return [kind for kind in Code.__subclasses__() if kind.__module__.startswith("p2p_shanghaien.") and _is_known(kind)]


def _is_known(kind: type[Code]) -> bool:
    _, part, *rest = kind.__module__.split(".")
    return part != "games" or len(rest) < 2 or rest[0] in GAMES


def _import_all() -> None:
    for module in walk_packages(p2p_shanghaien.__path__, "p2p_shanghaien."):
        if "research" not in module.name and not module.name.endswith("__main__"):
            import_module(module.name)
