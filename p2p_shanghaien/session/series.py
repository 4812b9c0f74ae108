"""A series of games with one opponent, from the handshake to the last "no, thank you"."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from p2p_shanghaien.errors import CannotConnect, ConnectionLost, SessionCode
from p2p_shanghaien.fairplay.channel import Secured
from p2p_shanghaien.fairplay.endpoint import Endpoint
from p2p_shanghaien.fairplay.entries import Entry
from p2p_shanghaien.fairplay.handshake import Bye, Handshake
from p2p_shanghaien.fairplay.hello import Hello, Hellos, Role, parse_hello
from p2p_shanghaien.fairplay.keys import SHARE_SIZE
from p2p_shanghaien.fairplay.match import Match, Session, begin
from p2p_shanghaien.fairplay.notes import IF_YOU_LIKE, NO_MORE, ONE_MORE
from p2p_shanghaien.fairplay.transcript import opening
from p2p_shanghaien.session.event_queue import Answer, EventQueue
from p2p_shanghaien.session.match_driver import MatchDriver
from p2p_shanghaien.session.negotiation import Negotiation, Side, complete_handshake, say_bye
from p2p_shanghaien.session.ports import Connector, Log, Opponent, Resumption


class Saved(NamedTuple):
    """An unfinished saved game: the match after its `entries`, our seat, and the session's secret.

    The last field is true if we have resigned, which no entry says yet.
    """

    match: Match
    entries: Sequence[Entry]
    seat: int
    secret: bytes
    log: Log
    resigned: bool = False


class Series:
    """One or more games with an opponent from `connector`.

    `hello` makes our hello for a channel, with a fresh nonce each time. `started` becomes true with the first game that
    both agreed to.
    """

    def __init__(self, side: Side, connector: Connector, hello: Callable[[bytes], Hello]) -> None:
        self._side = side
        self._connector = connector
        self._hello = hello
        self._events = EventQueue()
        self._driver: MatchDriver | None = None
        """The driver of the last game; its log stays open for as long as evidence can come for it."""
        self.started = False

    async def play(self) -> None:
        """Connect, agree and play until one of the players has had enough.

        Raises CannotConnect, ConnectionLost, Violation and LocalError.
        """
        try:
            link, established = await self._connector.first()
            await self._events.switch(link)
            table = Negotiation(self._side, self._events, established)
            table.introduce()
            session = await table.agree()
            self.started = True
            await self._more(await self._game(table, session))
        finally:
            await self._close()

    async def resume(self, saved: Saved) -> None:
        """Continue an unfinished game, then as `play`."""
        session = saved.match.session
        name = session.names[1 - saved.seat]
        called = self._side.call(name, Role(1 - saved.seat))
        opponent = Opponent(name, called, session.keys[1 - saved.seat], "", "")
        endpoint = Endpoint(saved.match, saved.seat, self._side.identity, secret=saved.secret, entries=saved.entries)
        if saved.resigned:
            endpoint.resign()
        driver = self._drive(endpoint, opponent, lambda: saved.log)
        self.started = True
        try:
            await driver.resume()
            await self._more(driver)
        finally:
            await self._close()

    async def _close(self) -> None:
        await self._events.close()
        if self._driver:
            self._driver.close()

    async def _more(self, last: MatchDriver) -> None:
        """Play further games, as long as both want them."""
        while agreed := await self._rematch(last):
            try:
                last = await self._game(*agreed, again=True)
            except CannotConnect as error:  # nothing of it has begun
                self._side.observer.notify(error.code, **error.details)
                return

    async def _rematch(self, last: MatchDriver) -> tuple[Negotiation, Session] | None:
        """Agree on one more game. Errors now do not affect the game that was played.

        Raises Violation if an entry that still comes proves one in that game.
        """
        notify, name = self._side.observer.notify, last.opponent.called
        self._connector.expect(None)
        self._events.filter(last.takes_late)
        try:
            if not await self._both_want_more(last):
                return None
            async with asyncio.timeout(self._side.deadlines.handshake):
                handshake = self._side.handshake(self._hello, self._events.link.secured)
                established = await complete_handshake(self._events.link, self._events.frame, handshake)
                table = Negotiation(self._side, self._events, established)
                if table.opponent.key != last.opponent.key:
                    raise CannotConnect(SessionCode.OPPONENT_CHANGED, name=name)
                if table.hellos[Role.HOST].watchable and not last.session.watchable:
                    raise CannotConnect(SessionCode.NOW_WATCHABLE, name=name)
                return table, await table.agree(ask=False)
        except TimeoutError:
            await say_bye(self._events.link, Bye.TIMEOUT)
            notify("rematch_timed_out", name=name)
        except (CannotConnect, ConnectionLost) as error:
            notify(error.code, **error.details)
        finally:
            self._events.filter(None)
        return None

    async def _both_want_more(self, last: MatchDriver) -> bool:
        """Return whether one player asks for another game and neither is against it.

        If the peer has left, or does not answer, our player may challenge it to a rematch. Raises Violation.
        """
        notify, decider, ours, due = self._side.observer.notify, self._side.decider, None, None
        self._events.ask(decider.again())
        try:
            while ours is None or (ours != NO_MORE and last.wish is None):
                if last.lost:
                    raise last.lost
                try:
                    async with asyncio.timeout_at(due):
                        came = await self._events.next()
                except TimeoutError:
                    await say_bye(self._events.link, Bye.TIMEOUT)
                    raise ConnectionLost(SessionCode.REMATCH_UNANSWERED, name=last.opponent.called) from None
                match came:
                    case Answer(int(wish)):
                        ours, due = wish, asyncio.get_running_loop().time() + self._side.deadlines.person
                        await last.say_again(wish)
                        if last.wish is None and ours == ONE_MORE:
                            notify("asked_again")
                            self._events.ask(decider.stop_waiting("wait_for_rematch", name=last.opponent.called))
                    case Answer():
                        break
                    case bytes(frame):
                        await last.receive(frame)
                        if last.wish == NO_MORE:
                            notify("no_more")
                            break
        except ConnectionLost as lost:
            notify(lost.code, **lost.details)
        else:
            if ours and last.wish:
                return max(ours, last.wish) > IF_YOU_LIKE
        finally:
            await self._events.withdraw()
        if ours in (None, ONE_MORE):
            await self._challenge(last, is_wished=ours == ONE_MORE)
        return False

    async def _challenge(self, last: MatchDriver, *, is_wished: bool) -> None:
        """Let our player challenge the peer of the last game; one who has asked for another game need not be asked."""
        keeps = self._side.challenges is not None
        if keeps and (is_wished or await self._side.decider.challenges(last.opponent.called)):
            last.challenge()

    async def _game(self, table: Negotiation, session: Session, *, again: bool = False) -> MatchDriver:
        """Play the game that was agreed on at `table`."""
        hellos = table.established.hellos
        secret = self._side.random_bytes(SHARE_SIZE)
        first_bytes = opening(hellos, table.established.proofs)
        endpoint = Endpoint(begin(session), table.seat, self._side.identity, secret=secret)
        if self._side.gallery:
            self._side.gallery.begin(first_bytes, session.game.named_data().values())
        link = self._events.link
        keep = partial(self._side.keep, session, table.seat, first_bytes, secret, link.secured.key, link.remote)
        driver = self._drive(endpoint, table.opponent, keep)
        await driver.play(hellos.handshake, table.notes, again=again)
        return driver

    def _drive(self, endpoint: Endpoint, opponent: Opponent, start_log: Callable[[], Log]) -> MatchDriver:
        """Return the driver of a game that follows the last one; only its opponent is admitted again."""
        if self._driver:
            self._driver.close()
        session = endpoint.match.session
        self._connector.expect(
            Resumption(partial(self._handshake, session), partial(_is_opponent, session, endpoint.seat))
        )
        self._driver = MatchDriver(
            endpoint, self._events, self._connector, side=self._side, opponent=opponent, start_log=start_log
        )
        return self._driver

    def _handshake(self, session: Session, secured: Secured) -> Handshake:
        """Return our end of the handshake that resumes the game of `session` through another channel."""
        hello = self._hello(secured.channel)._replace(resumes=session.id, private=False)
        return Handshake(self._side.identity, hello, secured.versions)


def _is_opponent(session: Session, seat: int, hellos: Hellos) -> bool:
    """Return whether the peer holds the other seat's key and means the game of this session (SPEC 11.1)."""
    host, guest = parse_hello(hellos[0], Role.HOST), parse_hello(hellos[1], Role.GUEST)
    same_key = (host, guest)[1 - seat].key == session.keys[1 - seat]
    same_game = (host.game, host.settings) == (session.game.NAME, session.game.settings)
    as_agreed = session.watchable or not host.watchable
    return same_key and same_game and host.rules == session.game.RULES_VERSION and as_agreed
