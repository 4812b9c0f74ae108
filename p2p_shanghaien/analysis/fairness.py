"""Whether dice and cards came as chance alone brings them: tests of counts, each with its exact null hypothesis.

Dice are independent and every face is as likely as any other. Cards are not independent: a deck in random order is
dealt, without replacement. Where counts are large, statistics follow the chi-square distribution; where they are small,
the same statistic is compared with that of simulated collections (so many games, rolls and deals as there are),
which is exact whatever the counts (Barnard 1963). What has two outcomes has an exact binomial test. Every test looks at
both ends: counts may be too uneven, or too even to be true.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement
from math import factorial, prod, sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from p2p_shanghaien.analysis.chances import TIE, binomial_tails, chi_square_tail, strength_needed
from p2p_shanghaien.analysis.draws import Dealt, Draws

LEVEL: Final = 0.01
"""How often fair draws are called into question, all tests taken together."""
POWER: Final = 0.8
"""How often a bias must be found that a collection is said to be large enough for."""
TELLING: Final = 0.05
"""The bias that a collection must be able to show before it says anything: one face of a die so much too likely."""
LARGE: Final = 10
"""The smallest expected count from which on the chi-square distribution is close enough, far out in its tails, too."""
SIMULATIONS: Final = 9_999
SEED: Final = 2008
"""The same files give the same numbers."""
FEW: Final = 50
"""Rolls of one key that are worth a test of its own."""

EXACT: Final = "exact"
SIMULATED: Final = "simulated"
CHI_SQUARE: Final = "chi_square"

Counts = NDArray[np.int64]
Values = NDArray[np.float64]


class Tails(NamedTuple):
    """How a statistic compares with what chance alone brings: how often that is at least as `uneven`, as `even`."""

    statistic: float
    freedom: int
    uneven: float
    even: float
    method: str

    @property
    def strange(self) -> float:
        """How often chance alone is at least as strange, in either direction."""
        return min(1.0, 2 * min(self.uneven, self.even))


class Finding(NamedTuple):
    """A table of counts, what was expected, and what follows. `key` is whose rolls these are, where it is one key's."""

    code: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    seen: tuple[tuple[int, ...], ...]
    expected: tuple[tuple[float, ...], ...]
    tails: Tails
    adjusted: float = 1.0
    """`tails.strange`, adjusted for the number of tests (Holm 1979)."""
    key: bytes | None = None


class Verdict(NamedTuple):
    """All tests together. `least` is the smallest bias of a die's face that would be found; None without dice."""

    tests: tuple[Finding, ...]
    strange: float
    """How often fair draws give a test at least as strange as the strangest of these."""
    least: float | None

    @property
    def is_strange(self) -> bool:
        return self.strange < LEVEL

    @property
    def says_much(self) -> bool:
        """Whether there is enough to see what somebody who doubts the dice would want to see."""
        return self.least is not None and self.least <= TELLING


def verdict(draws: Draws) -> Verdict:
    """Every test that `draws` have counts for."""
    tests = [*_dice_tests(draws), *_card_tests(draws)]
    if sum(draws.starts.values()):
        tests.append(_two_outcomes("starts", ("host", "guest"), (draws.starts[0], draws.starts[1]), 0.5))
    order = sorted(range(len(tests)), key=lambda at: tests[at].tails.strange)
    adjusted = 0.0
    for place, at in enumerate(order):
        adjusted = max(adjusted, min(1.0, (len(tests) - place) * tests[at].tails.strange))
        tests[at] = tests[at]._replace(adjusted=adjusted)
    strange = min((test.adjusted for test in tests), default=1.0)
    dice = sum(len(faces) * count for faces, count in draws.thrown().items())
    least = _bias(dice, draws.lots.sides, len(tests)) if dice else None
    return Verdict(tuple(tests), strange, least)


def dice_needed(bias: float, sides: int, tests: int) -> int:
    """How many dice must be thrown before a face that is so much too likely is found."""
    return int(np.ceil(_strength(sides, tests) / _departure(bias, sides)))


def _bias(dice: int, sides: int, tests: int) -> float:
    """The smallest bias of one face that so many dice show."""
    return sqrt(_strength(sides, tests) / dice / _departure(1, sides))


def _strength(sides: int, tests: int) -> float:
    """The non-centrality that is found although there are so many tests, each with two ends."""
    return strength_needed(sides - 1, LEVEL / (2 * max(1, tests)), POWER)


def _departure(bias: float, sides: int) -> float:
    """The non-centrality of one die: a face is more likely by `bias`, at the cost of all others alike."""
    return sides * bias**2 * (1 + 1 / (sides - 1))


def _dice_tests(draws: Draws) -> list[Finding]:
    thrown = draws.thrown()
    if not thrown:
        return []
    sides = draws.lots.sides
    tests = [_faces("faces", thrown, sides), *_roll_tests(thrown, sides)]
    if any(len(chain) > 1 for chain in draws.chains):
        tests.append(_serial(draws.chains, sides))
    for seat, code in enumerate(("faces_host", "faces_guest")):
        if rolls := draws.thrown(seat=seat):
            tests.append(_faces(code, rolls, sides))
    by_key = {key: draws.thrown(key=key) for key in sorted(draws.names)}
    own = {key: rolls for key, rolls in by_key.items() if rolls.total() >= FEW}
    return tests + [_faces("faces_key", rolls, sides)._replace(key=key) for key, rolls in own.items()]


def _faces(code: str, rolls: Counter[tuple[int, ...]], sides: int) -> Finding:
    """Dice one by one."""
    faces: Counter[int] = Counter()
    for roll, count in rolls.items():
        for face in roll:
            faces[face] += count
    labels = tuple(range(1, sides + 1))
    return _one_row(code, tuple(map(str, labels)), [faces[face] for face in labels], [1 / sides] * sides)


def _roll_tests(rolls: Counter[tuple[int, ...]], sides: int) -> list[Finding]:
    """Dice as they were thrown together, if they were: every combination, and all dice alike or not."""
    (size,) = {len(roll) for roll in rolls}
    if size == 1:
        return []
    kinds = list(combinations_with_replacement(range(1, sides + 1), size))
    ways = [factorial(size) / prod(map(factorial, Counter(kind).values())) for kind in kinds]
    labels = tuple("".join(map(str, kind)) for kind in kinds)
    together = _one_row("rolls", labels, [rolls[kind] for kind in kinds], [way / sides**size for way in ways])
    alike = sum(count for roll, count in rolls.items() if len(set(roll)) == 1)
    doubles = (alike, sum(rolls.values()) - alike)
    return [together, _two_outcomes("doubles", ("doubles", "others"), doubles, sides ** (1 - size))]


def _one_row(code: str, labels: tuple[str, ...], seen: Sequence[int], chances: Sequence[float]) -> Finding:
    """Independent draws into cells of known probability (Pearson's test)."""
    counts, probabilities = np.array(seen), np.array(chances)
    total = int(counts.sum())
    expected = total * probabilities

    def statistic(counts: Counts) -> Values:
        found: Values = ((counts - expected) ** 2 / expected).sum(axis=-1)
        return found

    def simulate(rng: np.random.Generator) -> Values:
        return statistic(rng.multinomial(total, probabilities, size=SIMULATIONS))

    chance = _chance(float(statistic(counts)), len(seen) - 1, expected.min(), simulate)
    return Finding(code, ("",), labels, (tuple(seen),), (tuple(expected.tolist()),), chance)


def _two_outcomes(code: str, labels: tuple[str, str], seen: tuple[int, int], chance: float) -> Finding:
    """The exact binomial test; `chance` is that of the first outcome."""
    total = sum(seen)
    expected = (total * chance, total * (1 - chance))
    uneven, even = binomial_tails(seen[0], total, chance)
    statistic = sum((count - mean) ** 2 / mean for count, mean in zip(seen, expected, strict=True))
    return Finding(code, ("",), labels, (seen,), (expected,), Tails(statistic, 1, uneven, even, EXACT))


def _serial(chains: Sequence[Sequence[tuple[int, ...]]], sides: int) -> Finding:
    """Whether a roll's first die goes by that of the roll before it in the same game, whoever rolled.

    The pairs overlap, and the test of independence with the counted margins holds all the same (Bartlett 1951).
    """
    firsts = [np.array([roll[0] - 1 for roll in chain]) for chain in chains if len(chain) > 1]
    lengths = [len(chain) for chain in firsts]
    # where a game begins there is no roll before it
    follows = np.ones(sum(lengths) - 1, dtype=bool)
    follows[np.cumsum(lengths)[:-1] - 1] = False

    def tables(dice: Counts) -> Counts:
        """A table for each line of dice: the die before by the die behind."""
        pairs = (dice[:, :-1] * sides + dice[:, 1:])[:, follows]
        return _tabled(pairs, sides * sides).reshape(-1, sides, sides)

    def statistic(tables: Counts) -> Values:
        expected = _independent(tables)
        squares = np.divide((tables - expected) ** 2, expected, out=np.zeros_like(expected), where=expected > 0)
        found: Values = squares.sum(axis=(-2, -1))
        return found

    def simulate(rng: np.random.Generator) -> Values:
        return statistic(tables(rng.integers(sides, size=(SIMULATIONS, sum(lengths)))))

    seen = tables(np.concatenate(firsts)[None])
    smallest = follows.sum() / sides**2
    chance = _chance(float(statistic(seen)[0]), (sides - 1) ** 2, smallest, simulate)
    labels = tuple(str(face) for face in range(1, sides + 1))
    return _test("serial", labels, labels, seen[0], _independent(seen)[0], chance)


def _independent(tables: Counts) -> Values:
    """What each cell would hold if rows and columns had nothing to do with each other."""
    total = np.maximum(tables.sum(axis=(-2, -1), keepdims=True), 1)
    found: Values = tables.sum(axis=-1, keepdims=True) * tables.sum(axis=-2, keepdims=True) / total
    return found


def _card_tests(draws: Draws) -> list[Finding]:
    dealt = [game for game in draws.dealt if game.deals]
    return [_cards(f"cards_{name}", dealt, group) for name, group in draws.lots.groupings.items()] if dealt else []


def _cards(code: str, games: Sequence[Dealt], group: Callable[[str], str]) -> Finding:
    """In which deal of a game each kind of card came up.

    A game's deck is a permutation: its table has the covariance of the hypergeometric distribution, and the sums over
    games are tested with the sum of those (Cochran, Mantel and Haenszel's test of general association).
    """
    kinds = tuple(dict.fromkeys(group(card) for game in games for card in game.deck))
    deals = max(len(game.deals) for game in games)
    shape = (len(kinds), deals)
    seen = np.zeros(shape, dtype=np.int64)
    expected = np.zeros(shape)
    covariance = np.zeros((seen.size, seen.size))
    for game in games:
        sizes = np.array([sum(group(card) == kind for card in game.deck) for kind in kinds])
        dealt = np.array([len(cards) for cards in game.deals] + [0] * (deals - len(game.deals)))
        count = len(game.deck)
        for at, cards in enumerate(game.deals):
            for card in cards:
                seen[kinds.index(group(card)), at] += 1
        expected += np.outer(sizes, dealt) / count
        spread = np.kron(_spread(sizes, count), _spread(dealt, count))
        covariance += spread / (count - 1)
    values, vectors = np.linalg.eigh(covariance)
    kept = values > values.max() * 1e-9
    # distances in units of their spread, in as many directions as can vary
    scale = vectors[:, kept] / np.sqrt(values[kept])

    def statistic(tables: Counts) -> Values:
        found: Values = (((tables - expected).reshape(len(tables), -1) @ scale) ** 2).sum(axis=-1)
        return found

    def simulate(rng: np.random.Generator) -> Values:
        tables = np.zeros((SIMULATIONS, *shape), dtype=np.int64)
        for game in games:
            deck = np.array([kinds.index(group(card)) for card in game.deck])
            at = np.repeat(np.arange(len(game.deals)), [len(cards) for cards in game.deals])
            shuffled = rng.permuted(np.tile(deck, (SIMULATIONS, 1)), axis=1)[:, : len(at)]
            tables += _tabled(shuffled * deals + at, seen.size).reshape(tables.shape)
        return statistic(tables)

    chance = _chance(float(statistic(seen[None])[0]), int(kept.sum()), expected.min(), simulate)
    return _test(code, kinds, tuple(str(number) for number in range(1, deals + 1)), seen, expected, chance)


def _spread(sizes: Counts, count: int) -> Values:
    found: Values = np.diag(sizes) - np.outer(sizes, sizes) / count
    return found


def _tabled(cells: Counts, count: int) -> Counts:
    """How often each of `count` cells stands in each line."""
    offset = np.arange(len(cells))[:, None] * count
    return np.bincount((cells + offset).ravel(), minlength=len(cells) * count).reshape(len(cells), count)


def _chance(
    statistic: float, freedom: int, smallest: float, simulate: Callable[[np.random.Generator], Values]
) -> Tails:
    """Both tails of a statistic; `smallest` is the smallest expected count."""
    if smallest >= LARGE:
        uneven = chi_square_tail(statistic, freedom)
        return Tails(statistic, freedom, uneven, 1 - uneven, CHI_SQUARE)
    found = simulate(np.random.default_rng(SEED))
    uneven, even = (found >= statistic * (1 - TIE)).sum(), (found <= statistic * (1 + TIE)).sum()
    return Tails(
        statistic, freedom, float((1 + uneven) / (1 + SIMULATIONS)), float((1 + even) / (1 + SIMULATIONS)), SIMULATED
    )


def _test(
    code: str, rows: tuple[str, ...], columns: tuple[str, ...], seen: Counts, expected: Values, chance: Tails
) -> Finding:
    return Finding(code, rows, columns, tuple(map(tuple, seen.tolist())), tuple(map(tuple, expected.tolist())), chance)
