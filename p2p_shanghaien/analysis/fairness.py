"""Tests of whether dice and cards were fair, each with its exact null hypothesis.

Dice are independent and every face is as likely as any other. Dice with different numbers of sides are tested apart,
and so are rolls of different dice (2d6 and 1d6 + 1d8). What is rolled next may depend on what was rolled before; the
dice of one kind, in the order in which they were drawn, are independent all the same, for nobody can choose among draws
that are still unknown (Doob 1936, Annals of Mathematics 37, 363-367). Cards are not independent: a deck in random order
is dealt, without replacement, as far as a game goes; decks are independent.

Where counts are large, statistics follow the chi-square distribution; where they are small, the same statistic is
compared with that of simulated collections (so many games, rolls and deals as there are), which is exact whatever the
counts (Barnard 1963). What has two outcomes has an exact binomial test. Every test looks at both ends: counts may be
too uneven, or too even to be true. All tests of all collections that are asked for together are one family.
"""

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement, pairwise, product
from math import comb, factorial, isqrt, prod, sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from p2p_shanghaien.analysis.chances import TIE, binomial_tails, chi_square_tail, strength_needed
from p2p_shanghaien.analysis.dedupe import Counted
from p2p_shanghaien.analysis.draws import Dealt, Draws, by_deck, chance_model, draws, shared_settings
from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.games.chance import Die
from p2p_shanghaien.games.registry import GAMES

LEVEL: Final = 0.01
"""The rate at which fair draws are called into question, all tests taken together."""
POWER: Final = 0.8
"""The probability with which a bias must be found in a collection that is called large enough for it."""
TELLING: Final = 0.05
"""The bias that a collection must be able to show: one face of a die so much too likely."""
LARGE: Final = 10
"""The smallest expected count for which the chi-square distribution is close enough, in its far tails, too."""
BATCH: Final = 1_111
"""Collections simulated at once, which limits the memory used."""
SIMULATIONS: Final = 9 * BATCH
SEED: Final = 2008
"""A fixed seed: the same files give the same numbers."""
FEW: Final = 50
"""The number of rolls of one key for which it has a test of its own."""
CELLS: Final = 144
"""The most cells of a table of dice: with more outcomes, faces are counted by ranges."""
RANGES: Final = 20
"""The most ranges of a die whose faces are not counted one by one."""
RAREST: Final = 1e-9
"""The smallest probability of a double that is tested: a rarer one does not come up in a lifetime."""

EXACT: Final = "exact"
SIMULATED: Final = "simulated"
CHI_SQUARE: Final = "chi_square"

Counts = NDArray[np.int64]
Values = NDArray[np.float64]
Rolls = Counter[tuple[Die, ...]]


class Tails(NamedTuple):
    """Both tails of a statistic: how often chance alone is at least as `uneven`, and at least as `even`."""

    statistic: float
    freedom: int
    uneven: float
    even: float
    method: str

    @property
    def strange(self) -> float:
        """Return how often chance alone is at least as extreme, in either direction."""
        return min(1.0, 2 * min(self.uneven, self.even))


class Finding(NamedTuple):
    """A test: a table of counts, the expected ones, and the result.

    `dice` are the numbers of sides of the tested dice, ascending; `key` is the player's, if only one key's rolls were
    tested.
    """

    code: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    seen: tuple[tuple[int, ...], ...]
    expected: tuple[tuple[float, ...], ...]
    tails: Tails
    adjusted: float = 1.0
    """`tails.strange`, adjusted for the number of tests (Holm 1979)."""
    dice: tuple[int, ...] = ()
    key: bytes | None = None


class Sensitivity(NamedTuple):
    """The smallest bias of one face, `least`, that is found with so many dice of so many sides."""

    sides: int
    dice: int
    least: float


class Findings(NamedTuple):
    """All tests of one collection.

    `family` is the number of tests that they are adjusted for, with other collections'.
    """

    tests: tuple[Finding, ...]
    strange: float
    """The rate at which fair draws give a test at least as extreme as the most extreme of these."""
    sensitivities: tuple[Sensitivity, ...]
    """The detectable bias for each kind of die, ascending."""
    family: int

    @property
    def is_strange(self) -> bool:
        return self.strange < LEVEL

    @property
    def least(self) -> float | None:
        """The smallest bias of a face that is found; None without dice."""
        return min((each.least for each in self.sensitivities), default=None)

    @property
    def says_much(self) -> bool:
        """Return whether the collection is large enough for a result of interest to somebody who doubts the dice."""
        return self.least is not None and self.least <= TELLING


class Group(NamedTuple):
    """Games of one kind with one deck; `draws` and `findings` if the game has a chance model."""

    game: str
    settings: Mapping[str, str]
    """The options that the games have in common."""
    games: Sequence[Counted]
    draws: Draws | None = None
    findings: Findings | None = None

    @property
    def is_signed(self) -> bool:
        return all(game.report for game in self.games)


def grouped(counted: Iterable[Counted], broken: Callable[[LocalError], object]) -> Sequence[Group]:
    """Divide games by kind and deck, and test their draws; all tests together are one family.

    `broken` is notified of a chance model that fails; its game counts as one without a model.
    """
    kinds: dict[str, list[Counted]] = {}
    for game in counted:
        kinds.setdefault(game.record.game.NAME, []).append(game)
    groups: list[Group] = []
    for kind, games in kinds.items():
        try:
            groups += _by_deck(kind, games)
        except LocalError as error:
            broken(error)
            groups.append(Group(kind, shared_settings(games), games))
    found = iter(findings([group.draws for group in groups if group.draws]))
    return [group._replace(findings=next(found)) if group.draws else group for group in groups]


@GAMES.named_in_errors()
def _by_deck(kind: str, games: Sequence[Counted]) -> Sequence[Group]:
    """Divide games of one kind by deck; without a chance model all are one group. Raises LocalError."""
    model = chance_model(kind)
    if model is None:
        return [Group(kind, shared_settings(games), games)]
    return [Group(kind, shared_settings(part), part, draws(part, model)) for part in by_deck(games, model)]


def findings(collections: Sequence[Draws]) -> tuple[Findings, ...]:
    """Make every test with enough counts, and adjust all of them together."""
    found = [_tests(draws) for draws in collections]
    family = sum(map(len, found))
    order = sorted(
        (test.tails.strange, at, number) for at, tests in enumerate(found) for number, test in enumerate(tests)
    )
    adjusted = 0.0
    for place, (strange, at, number) in enumerate(order):
        adjusted = max(adjusted, min(1.0, (family - place) * strange))
        found[at][number] = found[at][number]._replace(adjusted=adjusted)
    return tuple(
        Findings(
            tuple(tests),
            min((test.adjusted for test in tests), default=1.0),
            tuple(_sensitivity(sides, dice, family) for sides, dice in sorted(_kinds(draws.thrown()).items())),
            family,
        )
        for draws, tests in zip(collections, found, strict=True)
    )


def dice_needed(bias: float, sides: int, tests: int) -> int:
    """Return how many dice must be thrown before a face that is so much too likely is found."""
    return int(np.ceil(_strength(sides, tests) / _departure(bias, sides)))


def _sensitivity(sides: int, dice: int, tests: int) -> Sensitivity:
    return Sensitivity(sides, dice, sqrt(_strength(sides, tests) / dice / _departure(1, sides)))


@cache
def _strength(sides: int, tests: int) -> float:
    """Return the non-centrality that is found although there are so many two-sided tests."""
    return strength_needed(len(_scale(sides, CELLS).widths) - 1, LEVEL / (2 * max(1, tests)), POWER)


def _departure(bias: float, sides: int) -> float:
    """Return the non-centrality of one die: a face is more likely by `bias`, at the cost of all others equally.

    If faces are counted by ranges, some of it is lost: the face shares a range with others.
    """
    width = max(_scale(sides, CELLS).widths)
    return sides * bias**2 * (1 + 1 / (sides - 1)) * ((sides - width) / (width * (sides - 1)))


class _Scale(NamedTuple):
    """The faces of a die in ranges of nearly equal size, each a single face if there are few."""

    labels: tuple[str, ...]
    widths: tuple[int, ...]
    starts: tuple[int, ...]
    """The first face of each range but the first."""

    def place(self, face: int) -> int:
        """Return the range of the face, from 0."""
        return bisect(self.starts, face)


@cache
def _scale(sides: int, most: int) -> _Scale:
    """Return the faces of a die one by one, or, if there are more than `most`, in at most so many ranges."""
    width = 1 if sides <= most else -(-sides // min(most, RANGES))
    count = -(-sides // width)
    ends = [sides * at // count for at in range(count + 1)]
    ranges = [(low + 1, high) for low, high in pairwise(ends)]
    return _Scale(
        tuple(str(low) if low == high else f"{low}-{high}" for low, high in ranges),
        tuple(high - low + 1 for low, high in ranges),
        tuple(low for low, _ in ranges[1:]),
    )


def _tests(draws: Draws) -> list[Finding]:
    tests = [*_dice_tests(draws), *_card_tests(draws)]
    if sum(draws.starts.values()):
        tests.append(_two_outcomes("starts", ("host", "guest"), (draws.starts[0], draws.starts[1]), 0.5))
    return tests


def _dice_tests(draws: Draws) -> list[Finding]:
    thrown = draws.thrown()
    tests = _faces("faces", thrown)
    for dice, rolls in sorted(_compositions(thrown).items()):
        tests += _roll_tests(dice, rolls)
    for sides in sorted(_kinds(thrown)):
        runs = [[die.face for die in _firsts(game, sides)] for game in draws.chains]
        if runs := [run for run in runs if len(run) > 1]:
            tests.append(_serial(runs, sides))
    for seat, code in enumerate(("faces_host", "faces_guest")):
        tests += _faces(code, draws.thrown(seat=seat))
    for key in sorted(draws.names):
        tests += [test._replace(key=key) for test in _faces("faces_key", draws.thrown(key=key), FEW)]
    return tests


def _kinds(rolls: Rolls) -> Counter[int]:
    """Return how many dice there are of each number of sides, without dice of one face."""
    kinds: Counter[int] = Counter()
    for roll, count in rolls.items():
        for die in roll:
            if die.sides > 1:
                kinds[die.sides] += count
    return kinds


def _compositions(rolls: Rolls) -> dict[tuple[int, ...], Rolls]:
    """Divide the rolls of two dice or more by the numbers of sides of their dice, ascending."""
    found: dict[tuple[int, ...], Rolls] = {}
    for roll, count in rolls.items():
        dice = tuple(die for die in roll if die.sides > 1)
        if len(dice) > 1:
            found.setdefault(tuple(die.sides for die in dice), Counter())[dice] += count
    return found


def _firsts(rolls: Iterable[tuple[Die, ...]], sides: int) -> Iterator[Die]:
    """Yield the first die with so many sides of each roll that has one."""
    for roll in rolls:
        yield from [die for die in roll if die.sides == sides][:1]


def _faces(code: str, rolls: Rolls, few: int = 1) -> list[Finding]:
    """Test dice one by one, each kind that occurs in enough rolls."""
    tests = []
    for sides in sorted(_kinds(rolls)):
        scale = _scale(sides, CELLS)
        counts = [0] * len(scale.widths)
        having = 0
        for roll, count in rolls.items():
            faces = [die.face for die in roll if die.sides == sides]
            having += count * bool(faces)
            for face in faces:
                counts[scale.place(face)] += count
        if having >= few:
            test = _one_row(code, scale.labels, counts, [width / sides for width in scale.widths])
            tests.append(test._replace(dice=(sides,)))
    return tests


def _roll_tests(dice: tuple[int, ...], rolls: Rolls) -> list[Finding]:
    """Test dice thrown together: every combination, and doubles."""
    tests = []
    outcomes = prod(dice)
    kinds = Counter(dice)
    scales = _scales_together(kinds)
    ranges = [combinations_with_replacement(range(len(scale.widths)), kinds[kind]) for kind, scale in scales.items()]
    cells = dict.fromkeys(product(*ranges), 0)
    if len(cells) > 1:
        for roll, count in rolls.items():
            cells[_cell(roll, scales)] += count
        labels = [_label(cell, scales.values()) for cell in cells]
        chances = [prod(map(_ways, cell, scales.values())) / outcomes for cell in cells]
        tests.append(_one_row("rolls", tuple(labels), list(cells.values()), chances))
    chance = min(dice) / outcomes
    if chance > RAREST:
        alike = sum(count for roll, count in rolls.items() if len({die.face for die in roll}) == 1)
        tests.append(_two_outcomes("doubles", ("doubles", "others"), (alike, rolls.total() - alike), chance))
    return [test._replace(dice=dice) for test in tests]


def _scales_together(kinds: Mapping[int, int]) -> dict[int, _Scale]:
    """Return the finest ranges of faces for which every combination of so many dice of each kind has a cell."""

    def cells(scales: Mapping[int, _Scale]) -> int:
        return prod(comb(len(scales[sides].widths) + count - 1, count) for sides, count in kinds.items())

    finer = ({sides: _scale(sides, most) for sides in kinds} for most in range(CELLS, 0, -1))
    return next(scales for scales in finer if cells(scales) <= CELLS)


def _cell(roll: tuple[Die, ...], scales: Mapping[int, _Scale]) -> tuple[tuple[int, ...], ...]:
    """Return the ranges that the dice fall into, ascending, for each kind."""
    return tuple(tuple(scale.place(die.face) for die in roll if die.sides == sides) for sides, scale in scales.items())


def _label(cell: Sequence[Sequence[int]], scales: Iterable[_Scale]) -> str:
    parts = [scale.labels[place] for places, scale in zip(cell, scales, strict=True) for place in places]
    return ("" if all(len(part) == 1 for part in parts) else ",").join(parts)


def _ways(places: tuple[int, ...], scale: _Scale) -> int:
    """Return the number of ways in which dice of one kind fall into these ranges."""
    orders = factorial(len(places)) // prod(map(factorial, Counter(places).values()))
    return orders * prod(scale.widths[place] for place in places)


def _one_row(code: str, labels: tuple[str, ...], seen: Sequence[int], chances: Sequence[float]) -> Finding:
    """Test independent draws into cells of known probability (Pearson's test)."""
    counts, probabilities = np.array(seen), np.array(chances)
    total = int(counts.sum())
    expected = total * probabilities

    def statistic(counts: Counts) -> Values:
        found: Values = ((counts - expected) ** 2 / expected).sum(axis=-1)
        return found

    def simulate(rng: np.random.Generator) -> Values:
        return statistic(rng.multinomial(total, probabilities, size=BATCH))

    chance = _chance(float(statistic(counts)), len(seen) - 1, expected.min(), simulate)
    return Finding(code, ("",), labels, (tuple(seen),), (tuple(expected.tolist()),), chance)


def _two_outcomes(code: str, labels: tuple[str, str], seen: tuple[int, int], chance: float) -> Finding:
    """Return the exact binomial test; `chance` is the probability of the first outcome."""
    total = sum(seen)
    expected = (total * chance, total * (1 - chance))
    uneven, even = binomial_tails(seen[0], total, chance)
    statistic = sum((count - mean) ** 2 / mean for count, mean in zip(seen, expected, strict=True))
    return Finding(code, ("",), labels, (seen,), (expected,), Tails(statistic, 1, uneven, even, EXACT))


def _serial(runs: Sequence[Sequence[int]], sides: int) -> Finding:
    """Test a die's face against that of the previous die of its kind in the same game, whoever rolled.

    The pairs overlap, and the test of independence with the observed margins is valid all the same (Bartlett 1951).
    """
    scale = _scale(sides, isqrt(CELLS))
    size = len(scale.widths)
    places = np.repeat(np.arange(size), scale.widths)
    lengths = [len(run) for run in runs]
    # the first roll of a game has none before it
    follows = np.ones(sum(lengths) - 1, dtype=bool)
    follows[np.cumsum(lengths)[:-1] - 1] = False

    def tables(faces: Counts) -> Counts:
        """Return a table for each line of faces, from 0: the previous die by the next."""
        dice = places[faces]
        pairs = (dice[:, :-1] * size + dice[:, 1:])[:, follows]
        return _tabled(pairs, size * size).reshape(-1, size, size)

    def statistic(tables: Counts) -> Values:
        expected = _independent(tables)
        squares = np.divide((tables - expected) ** 2, expected, out=np.zeros_like(expected), where=expected > 0)
        found: Values = squares.sum(axis=(-2, -1))
        return found

    def simulate(rng: np.random.Generator) -> Values:
        return statistic(tables(rng.integers(sides, size=(BATCH, sum(lengths)))))

    seen = tables(np.concatenate([np.array(run) - 1 for run in runs])[None])
    smallest = follows.sum() * min(scale.widths) ** 2 / sides**2
    chance = _chance(float(statistic(seen)[0]), (size - 1) ** 2, smallest, simulate)
    test = _test("serial", scale.labels, scale.labels, seen[0], _independent(seen)[0], chance)
    return test._replace(dice=(sides,))


def _independent(tables: Counts) -> Values:
    """Return the expected cells if rows and columns were independent."""
    total = np.maximum(tables.sum(axis=(-2, -1), keepdims=True), 1)
    found: Values = tables.sum(axis=-1, keepdims=True) * tables.sum(axis=-2, keepdims=True) / total
    return found


def _card_tests(draws: Draws) -> list[Finding]:
    dealt = [deck for deck in draws.dealt if deck.deals]
    tests = [_cards(f"cards_{name}", dealt, group) for name, group in draws.model.groupings.items()] if dealt else []
    # if all cards are of a kind, or all are dealt at once, nothing is left to chance
    return [test for test in tests if test.tails.freedom]


def _cards(code: str, decks: Sequence[Dealt], group: Callable[[str], str]) -> Finding:
    """Test in which deal of a deck each kind of card came up.

    A deck is a permutation: its table has the covariance of the hypergeometric distribution, and the sums over
    decks are tested with the sum of those (Cochran, Mantel and Haenszel's test of general association).
    """
    kinds = tuple(dict.fromkeys(group(card) for each in decks for card in each.deck))
    deals = max(len(each.deals) for each in decks)
    shape = (len(kinds), deals)
    seen = np.zeros(shape, dtype=np.int64)
    expected = np.zeros(shape)
    covariance = np.zeros((seen.size, seen.size))
    for each in decks:
        sizes = np.array([sum(group(card) == kind for card in each.deck) for kind in kinds])
        dealt = np.array([len(cards) for cards in each.deals] + [0] * (deals - len(each.deals)))
        count = len(each.deck)
        for at, cards in enumerate(each.deals):
            for card in cards:
                seen[kinds.index(group(card)), at] += 1
        expected += np.outer(sizes, dealt) / count
        spread = np.kron(_spread(sizes, count), _spread(dealt, count))
        covariance += spread / max(1, count - 1)
    values, vectors = np.linalg.eigh(covariance)
    kept = values > values.max() * 1e-9
    # distances in units of their spread, in as many directions as can vary
    scale = vectors[:, kept] / np.sqrt(values[kept])

    def statistic(tables: Counts) -> Values:
        found: Values = (((tables - expected).reshape(len(tables), -1) @ scale) ** 2).sum(axis=-1)
        return found

    def simulate(rng: np.random.Generator) -> Values:
        tables = np.zeros((BATCH, *shape), dtype=np.int64)
        for each in decks:
            deck = np.array([kinds.index(group(card)) for card in each.deck])
            at = np.repeat(np.arange(len(each.deals)), [len(cards) for cards in each.deals])
            shuffled = rng.permuted(np.tile(deck, (BATCH, 1)), axis=1)[:, : len(at)]
            tables += _tabled(shuffled * deals + at, seen.size).reshape(tables.shape)
        return statistic(tables)

    chance = _chance(float(statistic(seen[None])[0]), int(kept.sum()), expected.min(), simulate)
    return _test(code, kinds, tuple(str(number) for number in range(1, deals + 1)), seen, expected, chance)


def _spread(sizes: Counts, count: int) -> Values:
    found: Values = np.diag(sizes) - np.outer(sizes, sizes) / count
    return found


def _tabled(cells: Counts, count: int) -> Counts:
    """Return how often each of `count` cells occurs in each line."""
    offset = np.arange(len(cells))[:, None] * count
    return np.bincount((cells + offset).ravel(), minlength=len(cells) * count).reshape(len(cells), count)


def _chance(
    statistic: float, freedom: int, smallest: float, simulate: Callable[[np.random.Generator], Values]
) -> Tails:
    """Return both tails of a statistic; `smallest` is the smallest expected count."""
    if smallest >= LARGE:
        uneven = chi_square_tail(statistic, freedom)
        return Tails(statistic, freedom, uneven, 1 - uneven, CHI_SQUARE)
    rng = np.random.default_rng(SEED)
    found = np.concatenate([simulate(rng) for _ in range(SIMULATIONS // BATCH)])
    uneven, even = (found >= statistic * (1 - TIE)).sum(), (found <= statistic * (1 + TIE)).sum()
    return Tails(
        statistic, freedom, float((1 + uneven) / (1 + SIMULATIONS)), float((1 + even) / (1 + SIMULATIONS)), SIMULATED
    )


def _test(
    code: str, rows: tuple[str, ...], columns: tuple[str, ...], seen: Counts, expected: Values, chance: Tails
) -> Finding:
    return Finding(code, rows, columns, tuple(map(tuple, seen.tolist())), tuple(map(tuple, expected.tolist())), chance)
