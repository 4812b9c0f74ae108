"""A computer player in a program of its own, which knows nothing of this package (protocol/ENGINE.md).

    shanghaien play --against 'engine:python examples/small_engine.py'
    shanghaien tournament 'engine:python examples/small_engine.py' random

It needs no rules: what is legal is told with every question. It keeps its tricks, rolls as long as it can, and places
the higher die.
"""

import sys


def choice(legal: list[str]) -> str:
    """Return the last of the plain placements, or else rolling, or else whatever there is."""
    placements = [action for action in legal if action.startswith("-")]
    return max(placements) if placements else "roll" if "roll" in legal else legal[0]


def main() -> None:
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["engine"]:
            print("id name small", "protocol 1", "game shanghaien 1", "engineok", sep="\n", flush=True)
        elif words[:1] == ["isready"]:
            print("readyok", flush=True)
        elif words[:1] == ["go"]:
            print("bestmove", choice(words[words.index("legal") + 1 :]), flush=True)
        elif words[:1] == ["quit"]:
            break


if __name__ == "__main__":
    main()
