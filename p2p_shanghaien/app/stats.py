"""Statistics of the games that the user of this machine has played."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from p2p_shanghaien.analysis.dedupe import Found
from p2p_shanghaien.analysis.standing import Group, OpponentKey, PlayedGame
from p2p_shanghaien.app.analysis import Analysed, analysed
from p2p_shanghaien.errors import LocalError, ShanghaienError
from p2p_shanghaien.fairplay.match import Match
from p2p_shanghaien.fairplay.verify import Report, Verdict
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.players import has_evaluator
from p2p_shanghaien.store.home import COMPUTER, IDENTITY, Home
from p2p_shanghaien.store.paths import seat_of


def statistics(
    home: Home,
    files: Iterable[tuple[str, Found]],
    cores: int | None,
    passed_over: Callable[[ShanghaienError], object],
    unreadable: Callable[[str, ShanghaienError], object],
) -> list[Group]:
    """Return sums over the games among `files` in which a key of this home plays the seat whose log it is.

    A game counts once, however often it is kept; one with a violation is evidence, not a result. `unreadable` is
    notified of each file without a game, `passed_over` of keys and evaluators that cannot be used. Raises LocalError.
    """
    groups: dict[tuple[str, tuple[tuple[str, str], ...]], Group] = {}
    own: dict[str, PlayedGame] = {}
    seen: set[bytes] = set()

    def add(game: PlayedGame) -> None:
        kind = game.record.game
        groups.setdefault((kind.NAME, kind.settings), Group(kind.NAME, dict(kind.settings))).add(game)

    def holds(key: bytes, name: str = IDENTITY) -> bool:
        try:
            return home.holder(key, name) is not None
        except LocalError as error:
            passed_over(error)
            return False

    def own_game(name: str, report: Report, match: Match) -> PlayedGame | None:
        session, seat = match.session, seat_of(Path(name))
        if report.verdict == Verdict.VIOLATION or session.id in seen or not holds(session.keys[seat]):
            return None
        seen.add(session.id)
        key, theirs = session.keys[1 - seat], session.names[1 - seat]
        opponent = OpponentKey(key, theirs if holds(key, COMPUTER) else "")
        return PlayedGame(report.record(), match.player(seat), opponent=opponent)

    def analysable() -> Iterator[tuple[str, Found]]:
        for name, found in files:
            if isinstance(found, Report) and found.match is not None:
                game = own_game(name, found, found.match)
                if game is None:
                    continue
                if not has_evaluator(game.record.game.NAME):
                    add(game)
                    continue
                own[name] = game
            if not isinstance(found, Record):
                yield name, found

    for name, outcome in analysed(analysable(), cores):
        if isinstance(outcome, Analysed):
            add(own[name]._replace(analysis=outcome.analysis))
        elif name in own:
            # a broken evaluator costs a game its results no more than a missing one
            passed_over(outcome)
            add(own[name])
        else:
            unreadable(name, outcome)
    return list(groups.values())
