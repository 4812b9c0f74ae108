"""All classes of errors, and the package's enums of their codes, wherever they are defined."""

from importlib import import_module
from pkgutil import walk_packages

import p2p_shanghaien
from p2p_shanghaien.errors import Code, ShanghaienError


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
    _import_all()
    return [kind for kind in Code.__subclasses__() if kind.__module__.startswith("p2p_shanghaien.")]


def _import_all() -> None:
    for module in walk_packages(p2p_shanghaien.__path__, "p2p_shanghaien."):
        if "research" not in module.name and not module.name.endswith("__main__"):
            import_module(module.name)
