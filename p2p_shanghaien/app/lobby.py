"""The lobby: open, join and resume tables, as plain functions for a program, a bot or a test.

Each takes our `Side`, which has the key, the decider and the observer, and a `Keeper`, which stores games. It notifies
the observer by code, and returns the `Result`; errors are those of `errors`. Nothing here prints or asks.
"""

import asyncio
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from p2p_shanghaien.app.invitations import Invited
from p2p_shanghaien.app.library import rules_beside
from p2p_shanghaien.app.saved import SavedGame
from p2p_shanghaien.errors import AppCode, CannotConnect, ConnectionLost, LocalError, Quit, UsageError, Violation
from p2p_shanghaien.fairplay.channel import NO_KEY
from p2p_shanghaien.fairplay.handshake import InvitationNeeded
from p2p_shanghaien.fairplay.hello import Invitation, Role
from p2p_shanghaien.fairplay.keys import INVITATION_SIZE, Identity, fingerprint, mac
from p2p_shanghaien.fairplay.match import Session
from p2p_shanghaien.fairplay.transcript import MAX_LOG
from p2p_shanghaien.fairplay.verify import Report, verify
from p2p_shanghaien.games.api import Game
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.games.registry import GAMES, RULES
from p2p_shanghaien.net.addresses import MAX_PORT, Address, RelayAddress, parse, parse_relay, reachable
from p2p_shanghaien.net.pcp import NONCE
from p2p_shanghaien.net.port_mapping import port_opened, ways
from p2p_shanghaien.net.relay_client import RelayTable, call, waiting
from p2p_shanghaien.net.transport import connect, serve
from p2p_shanghaien.session.dialer import Dialer
from p2p_shanghaien.session.gallery import Gallery
from p2p_shanghaien.session.listener import Listener, host_games
from p2p_shanghaien.session.negotiation import Side
from p2p_shanghaien.session.participant import Decider, Observer
from p2p_shanghaien.session.series import Saved, Series
from p2p_shanghaien.store.catalogue import short_name
from p2p_shanghaien.store.data import keep_data
from p2p_shanghaien.store.files import read_bytes
from p2p_shanghaien.store.home import IDENTITY, Home
from p2p_shanghaien.store.logs import GameLog, Sidecar
from p2p_shanghaien.store.paths import log_path

if TYPE_CHECKING:
    from p2p_shanghaien.net.discovery import OpenTable

__all__ = [
    "Endpoint",
    "Keeper",
    "Opened",
    "Result",
    "Silent",
    "check_to_play",
    "host",
    "join",
    "new_invitation",
    "open_tables",
    "play",
    "resume",
]

LOOPBACK: Final = "127.0.0.1"


class Result(NamedTuple):
    """The end of a series of games: the log of the last game, if there was one.

    `exit_code` is that of a program that did nothing else (protocol/RECORD.md, section 5); `has_left` if the local
    player left the table before a game had come to its end.
    """

    log: Path | None
    exit_code: int = 0
    has_left: bool = False


class Keeper:
    """A keeper, which starts the logs of games and knows the last one; a `sociable` one saves opponents as contacts.

    `key` is the name of the key in `home` that plays, `log` that of a game that is resumed.
    """

    def __init__(self, home: Home, key: str = IDENTITY, log: Path | None = None, *, sociable: bool = False) -> None:
        self._home = home
        self._key = key
        self._sociable = sociable
        self.kept_endpoint: str | None = None
        """The address at which a host listens (`Opened.kept`), saved in place of the peer's, which it does not dial."""
        self.relayed: RelayTable | None = None
        """The relay and the room where the two meet, if there is one."""
        self.watchers = 0
        """The number of people who may watch."""
        self.to_watch: Invitation | None = None
        """The invitation that watchers need, if there is one."""
        self._logs = [log] if log else []
        self.contact_error: LocalError | None = None
        """The error that kept the peer from being saved as a contact, if there was one."""
        self.result: Result | None = None
        """The result, once there is one."""

    @property
    def last(self) -> Path | None:
        """The log of the last game that began; one without entries has been deleted."""
        return next((path for path in reversed(self._logs) if path.exists()), None)

    @property
    def log(self) -> Path:
        """The log of the last game, once one has begun."""
        assert self.last is not None, "one has begun"
        return self.last

    def side(self, name: str, observer: Observer, decider: Decider, **others: Any) -> Side:
        """Return the `Side` of the player called `name` whose games are kept here, with these `others` of its fields.

        Raises LocalError.
        """
        return Side(self._home.identity(self._key), name, observer, decider, RULES, self.keep, **others)

    def keep(
        self, session: Session, seat: int, opening: bytes, secret: bytes, channel_key: bytes, address: str
    ) -> GameLog:
        """Return the log of a game that begins now, under the home's `games`, with its data beside it.

        Raises LocalError.
        """
        if self._sociable:
            try:
                self._home.remember(session.keys[1 - seat], session.names[1 - seat], date.today())
            except LocalError as error:
                # a failure of the contact list must not cost a game
                self.contact_error = error
        for data in session.game.named_data().values():
            keep_data(self._home.games, data)
        path = log_path(self._home.games, session.id, seat)
        relay, room = (str(self.relayed), self.relayed.room) if self.relayed else ("", b"")
        sidecar = Sidecar(
            secret,
            self._key,
            self.kept_endpoint or address,
            channel_key,
            begun=datetime.now().astimezone(),
            relay=relay,
            room=room,
            watchers=self.watchers,
            watching=self.to_watch.secret if self.to_watch else b"",
        )
        log = GameLog.start(path, opening, sidecar)
        self._logs.append(path)
        return log

    def verdict(self) -> Report:
        """Verify the last game so far, by its log. Raises LocalError."""
        return verify(read_bytes(self.log, MAX_LOG), rules_beside(self.log))

    def played(self) -> Record:
        """Return the last game so far, by its log. Raises LocalError."""
        return self.verdict().record()

    @property
    def exit_code(self) -> int:
        """The exit code of a program that ends now."""
        if self.result:
            return self.result.exit_code
        return ConnectionLost.exit_code if self.last else 1

    async def settle(self, playing: Coroutine[Any, Any, Result]) -> int:
        """Play, and return the exit code.

        Raises as `playing` before a game; the observer is notified of later errors.
        """
        try:
            await playing
        except (ConnectionLost, Violation, asyncio.CancelledError):
            if self.result is None:
                raise
        return self.exit_code


class Silent:
    """An observer that does nothing."""

    def begun(self, *_: object) -> None: ...

    def drew(self, *_: object) -> None: ...

    def stepped(self, *_: object) -> None: ...

    def notify(self, *_: object, **__: object) -> None: ...


class Endpoint(NamedTuple):
    """The endpoint of a table.

    The address to listen on (None: all), the port (0: a free one), an address known to lead here from outside, whether
    to announce the table on the local network, a relay at which guests may come as well, whether to have the router
    open a port, and how many may watch. Ports that are open are scanned: such a table should take an invitation.
    """

    bind: str | None = LOOPBACK
    port: int = 0
    outside: Address | None = None
    announced: bool = False
    relay: RelayAddress | None = None
    opens_port: bool = False
    watchers: int = 0


HERE: Final = Endpoint()
"""A free port of this machine, for guests on it."""


class Opened(NamedTuple):
    """An open table: the address and the port it listens on, and the addresses that lead there.

    `announced` is None unless the table was to be announced, and then whether it is.
    """

    bind: str | None
    port: int
    addresses: Sequence[Address]
    announced: bool | None = None

    @property
    def here(self) -> Address:
        """An address for a guest on this machine."""
        return Address(LOOPBACK if self.bind is None else self.bind, self.port)

    @property
    def kept(self) -> str:
        """The saved form, to listen there again: the bound address (nothing: all) and the port."""
        return f"{self.bind or ''} {self.port}"


def new_invitation(host: Identity) -> Invitation:
    """Return a new invitation to a table of `host`."""
    return Invitation(secrets.token_bytes(INVITATION_SIZE), fingerprint(host.public))


async def host(
    side: Side,
    keeper: Keeper,
    game: Game[Any],
    endpoint: Endpoint = HERE,
    opened: Callable[[Opened], object] = lambda _: None,
) -> Result:
    """Open a table, wait for a guest and play; `opened` is called once guests can connect.

    A table at a relay needs an invitation. Raises LocalError, CannotConnect for a relay that cannot be reached, and
    ConnectionLost or Violation from a game that had begun.
    """
    if endpoint.relay:
        assert side.invitation is not None, "its room is made of the invitation"
        keeper.relayed = RelayTable(endpoint.relay, side.invitation.room)
    if endpoint.watchers:
        keeper.watchers, keeper.to_watch = endpoint.watchers, side.invitation and side.invitation.watching
        side = replace(side, gallery=_gallery(keeper))
    listener, series = _listening(side, game)
    async with _open(listener, side, keeper, game, endpoint, opened):
        return await _concluded(host_games(listener, series, side.observer), keeper, side.observer)


async def join(
    side: Side,
    keeper: Keeper,
    address: Address | Invited | Callable[[], Awaitable[Address | Invited]],
    wishes: tuple[tuple[str, str], ...] = (),
    ask_invitation: Callable[[], Awaitable[Invitation]] | None = None,
) -> Result:
    """Play with the host at `address`, or at the one that it finds; or with the one that sent an invitation to a relay.

    `wishes` are what the guest insists on (`Side.guest_hello`). If the table takes an invitation and there is none,
    `ask_invitation` is asked. Raises CannotConnect, and ConnectionLost or Violation from a game that had begun.
    """

    async def games() -> None:
        found, seated = await address() if callable(address) else address, side
        where: Address | RelayTable
        if isinstance(found, Invited):
            check_to_play(found.invitation)
            seated = replace(side, invitation=found.invitation)
            where = keeper.relayed = table_at(found.relay, found.invitation)
        else:
            where = found
        side.observer.notify("joining", address=where)
        try:
            await _as_guest(seated, where, wishes)
        except InvitationNeeded:
            if ask_invitation is None:
                raise
            # the host's hello says whether it wants an invitation; then we connect again with one
            await _as_guest(replace(side, invitation=await ask_invitation()), where, wishes)

    return await _concluded(games(), keeper, side.observer)


def table_at(relay: RelayAddress | None, invitation: Invitation) -> RelayTable:
    """Return where a host waits for those with an `invitation`: at its relay, without which there is an address."""
    assert relay is not None, "without a relay there is an address"
    return RelayTable(relay, invitation.room)


def check_to_play(invitation: Invitation) -> None:
    """Raise UsageError if an invitation is to watch."""
    if invitation.is_to_watch:
        raise UsageError(AppCode.INVITATION_TO_WATCH)


async def open_tables(*, to_watch: bool = False) -> "Sequence[OpenTable]":
    """Return the tables on the local network that a guest can join, or those that can be watched.

    Raises CannotConnect if there is none.
    """
    from p2p_shanghaien.net.discovery import find  # noqa: PLC0415 - slow to import

    found = [table for table in await find(reachable(None, 1)) if (table.is_watchable if to_watch else table.is_free)]
    if not found:
        raise CannotConnect(AppCode.NO_TABLE_TO_WATCH if to_watch else AppCode.NO_TABLE_FOUND)
    return found


async def play(ours: Side, keeper: Keeper, theirs: Side, game: Game[Any]) -> Result:
    """Play as the host of `theirs` in this process, over a real socket. Raises as `host`, and what `theirs` raises."""
    # nobody else on this machine may take the other seat, and the guest connects nowhere else
    invitation = new_invitation(ours.identity)
    ours, theirs = replace(ours, invitation=invitation), replace(theirs, invitation=invitation)
    listener, series = _listening(ours, game)
    games = partial(host_games, listener, series, ours.observer)
    return await _both_sides(listener, games, theirs, keeper, ours.observer)


async def resume(  # noqa: PLR0913 - each has its default
    game: SavedGame,
    side: Side,
    keeper: Keeper,
    *,
    address: Address | None = None,
    bind: str | None = None,
    port: int | None = None,
    opens_port: bool = False,
    opponent: tuple[SavedGame, Side] | None = None,
    opened: Callable[[Opened], object] = lambda _: None,
) -> Result:
    """Continue `game` at our seat, whichever program starts first.

    The channel has the key that the game began with, and the two meet at the same relay, if they did. A guest dials
    `address`, a host listens on `bind` and `port`, each as before if it is None, and has the router open a port if it
    `opens_port`. `opponent` is the other seat's game and side, if that is played in this process. Raises as `host` and
    `join`.
    """
    side = replace(side, resumed_key=game.sidecar.channel_key)
    keeper.relayed = _kept_relay(game)
    if game.seat == Role.GUEST:
        return await _resume_as_guest(game, side, keeper, address or keeper.relayed or _kept_address(game))
    if opponent:
        return await _resume_both(game, side, keeper, *opponent)
    bound, before = _listened_at(game.sidecar.address)
    port = before if port is None else port
    if port is None:
        raise LocalError(AppCode.BAD_KEPT_PORT, name=game.name)
    return await _resume_as_host(game, side, keeper, Endpoint(bind or bound, port, opens_port=opens_port), opened)


async def _resume_as_host(
    game: SavedGame, side: Side, keeper: Keeper, endpoint: Endpoint, opened: Callable[[Opened], object]
) -> Result:
    if game.session.watchable and game.sidecar.watchers:
        keeper.watchers, secret = game.sidecar.watchers, game.sidecar.watching
        host = fingerprint(side.identity.public)
        keeper.to_watch = Invitation(secret, host, is_to_watch=True) if secret else None
        gallery = _gallery(keeper)
        gallery.begin(game.log(), game.session.game.named_data().values())
        side = replace(side, gallery=gallery)
    listener, series = _listening(side, game.session.game)
    saved = game.take_up()

    def opened_again(where: Opened) -> None:
        if where.kept != game.sidecar.address:
            saved.log.set_address(where.kept)
        opened(where)

    with closing(saved.log):
        async with _open(listener, side, keeper, game.session.game, endpoint, opened_again, again=True):
            return await _concluded(series().resume(saved), keeper, side.observer)


async def _resume_as_guest(game: SavedGame, side: Side, keeper: Keeper, where: Address | RelayTable) -> Result:
    saved = game.take_up()
    with closing(saved.log):
        if isinstance(where, Address) and str(where) != game.sidecar.address:
            saved.log.set_address(str(where))
        return await _concluded(_as_guest(side, where, saved=saved), keeper, side.observer)


async def _resume_both(game: SavedGame, side: Side, keeper: Keeper, theirs: SavedGame, other: Side) -> Result:
    listener, series = _listening(side, game.session.game)
    saved = game.take_up()
    with closing(saved.log):
        other = replace(other, resumed_key=theirs.sidecar.channel_key)
        opposite = theirs.take_up()
        with closing(opposite.log):
            games = partial(series().resume, saved)
            return await _both_sides(listener, games, other, keeper, side.observer, saved=opposite)


@asynccontextmanager
async def _open(  # noqa: PLR0913 - all that a table consists of
    listener: Listener,
    side: Side,
    keeper: Keeper,
    game: Game[Any],
    endpoint: Endpoint,
    opened: Callable[[Opened], object],
    *,
    again: bool = False,
) -> AsyncIterator[None]:
    """Let guests and watchers come to `listener` while the block runs, `again` if its game is resumed.

    They come to `endpoint` and to the keeper's relay, if there is one. Watchers see the end of what is done in the
    block.
    """
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(serve(listener.receive, endpoint.bind, endpoint.port))
        if keeper.relayed:
            at_relay = waiting(keeper.relayed, listener.receive, side.observer.notify, insists=not again)
            await stack.enter_async_context(at_relay)
            if keeper.to_watch:
                # what is to be said of the relay is said of the players' room
                room = RelayTable(keeper.relayed.relay, keeper.to_watch.room)
                await stack.enter_async_context(waiting(room, listener.receive, Silent().notify, insists=False))
        addresses = reachable(endpoint.bind, server.port)
        announced = None
        if endpoint.announced:
            from p2p_shanghaien.net.discovery import Sign  # noqa: PLC0415 - slow to import

            sign = Sign(side.name, game.NAME, addresses, watchable=endpoint.watchers > 0)
            await stack.enter_async_context(sign)
            listener.sign, announced = sign.turn, sign.can_be_seen
            sign.turn(True)
        where = Opened(endpoint.bind, server.port, [*filter(None, [endpoint.outside]), *addresses], announced)
        keeper.kept_endpoint = where.kept
        opened(where)
        if endpoint.opens_port:
            # the same after a kill, and known to nobody else: the router takes it for a password
            secret, port = side.identity.private_bytes(), server.port.to_bytes(2, "big")
            nonce = mac(secret, b"p2p-shanghaien port mapping" + port)[:NONCE]
            mapped = port_opened(server.port, nonce, ways(endpoint.bind, server.port), side.observer.notify)
            await stack.enter_async_context(mapped)
        if side.gallery:
            stack.push_async_callback(side.gallery.close)
        yield


def _gallery(keeper: Keeper) -> Gallery:
    return Gallery(keeper.watchers, keeper.to_watch.channel_key if keeper.to_watch else NO_KEY)


def _listening(side: Side, game: Game[Any]) -> tuple[Listener, Callable[[], Series]]:
    """Return the listener of a host of `game`, and what begins a series of games with a guest."""
    hello = partial(side.host_hello, game)
    make = partial(side.handshake, hello)
    listener = Listener(side.secure(Role.HOST), make, notify=side.observer.notify, gallery=side.gallery)
    return listener, lambda: Series(side, listener, hello)


async def _as_guest(
    side: Side, where: Address | RelayTable, wishes: tuple[tuple[str, str], ...] = (), saved: Saved | None = None
) -> None:
    """Play with the host at `where`, or go on with a `saved` game."""
    hello = partial(side.guest_hello, wishes=wishes)
    dial = partial(connect, where) if isinstance(where, Address) else partial(call, where, side.observer.notify)
    dialer = Dialer(dial, side.secure(Role.GUEST), partial(side.handshake, hello))
    series = Series(side, dialer, hello)
    try:
        await (series.resume(saved) if saved else series.play())
    finally:
        await dialer.release()


def _kept_address(game: SavedGame) -> Address:
    """Return the host's last address. Raises LocalError if it is not valid."""
    try:
        return parse(game.sidecar.address)
    except UsageError:
        raise LocalError(AppCode.BAD_KEPT_ADDRESS, name=game.name, digits=game.name.digits) from None


def _kept_relay(game: SavedGame) -> RelayTable | None:
    """Return the relay at which the game was played, and the room there. Raises LocalError if it is not valid."""
    if not game.sidecar.relay:
        return None
    try:
        return RelayTable(parse_relay(game.sidecar.relay), game.sidecar.room)
    except UsageError:
        raise LocalError(
            AppCode.BAD_KEPT_RELAY, name=game.name, digits=game.name.digits, relay=game.sidecar.relay
        ) from None


def _listened_at(kept: str) -> tuple[str | None, int | None]:
    """Return the address and the port of `Opened.kept`; the port is None if it is not valid."""
    bind, _, port = kept.rpartition(" ")
    return bind or None, int(port) if re.fullmatch("[0-9]{1,5}", port) and int(port) <= MAX_PORT else None


async def _sit_down(side: Side, port: int, saved: Saved | None = None) -> None:
    """Play as the guest of the host at `port` of this machine, until the host ends the game."""
    with suppress(CannotConnect, ConnectionLost):
        await _as_guest(side, Address(LOOPBACK, port), saved=saved)


async def _both_sides(
    listener: Listener,
    games: Callable[[], Coroutine[Any, Any, None]],
    guest: Side,
    keeper: Keeper,
    observer: Observer,
    saved: Saved | None = None,
) -> Result:
    """Run a host and its guest in this process, over a real socket; the end of either ends both."""

    async def both() -> None:
        playing, sitting = asyncio.create_task(games()), asyncio.create_task(_sit_down(guest, server.port, saved))
        try:
            await asyncio.wait({playing, sitting}, return_when=asyncio.FIRST_COMPLETED)
            if sitting.done():
                sitting.result()
            await playing
        finally:
            playing.cancel()
            sitting.cancel()
            await asyncio.gather(playing, sitting, return_exceptions=True)

    async with serve(listener.receive, LOOPBACK, 0) as server:
        return await _concluded(both(), keeper, observer)


async def _concluded(games: Coroutine[Any, Any, None], keeper: Keeper, observer: Observer) -> Result:
    """Run the games to their end, whatever it is, and notify the observer of the verdict and the path of the log.

    Raises ConnectionLost, Violation and LocalError.
    """
    try:
        with GAMES.named_in_errors():
            await games
    except (Quit, asyncio.CancelledError) as reason:
        observer.notify("you_left")
        result = _conclude(keeper, observer, keeper.verdict().exit_code if keeper.last else 1, has_left=True)
        if isinstance(reason, asyncio.CancelledError):
            raise
        return result
    except (ConnectionLost, Violation) as error:
        observer.notify(error.code, **error.details)
        _conclude(keeper, observer, error.exit_code)
        raise
    except LocalError:
        # the game can go on, as after a lost connection
        _conclude(keeper, observer, ConnectionLost.exit_code)
        raise
    return _conclude(keeper, observer, 0)


def _conclude(keeper: Keeper, observer: Observer, exit_code: int, *, has_left: bool = False) -> Result:
    """Set the keeper's result, and notify the observer of what has become of the game; return the result."""
    keeper.result = Result(keeper.last, exit_code, has_left)
    if keeper.contact_error:
        observer.notify("not_remembered", reason=keeper.contact_error)
    if log := keeper.result.log:
        name = short_name(log)
        observer.notify(f"log_{exit_code}", path=log, game=name, digits=name.digits)
    return keeper.result
