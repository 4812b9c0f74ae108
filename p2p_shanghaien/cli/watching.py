"""`shanghaien watch`: the games at somebody else's table, as they are played."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from functools import partial

from p2p_shanghaien.app import library
from p2p_shanghaien.app.find_table import ask_invitation, find_table
from p2p_shanghaien.app.invitations import Invited
from p2p_shanghaien.app.library import UNFINISHED
from p2p_shanghaien.app.lobby import table_at
from p2p_shanghaien.app.watching import Watching
from p2p_shanghaien.cli.options import Display, table_named
from p2p_shanghaien.cli.output import ascii_option
from p2p_shanghaien.errors import Quit, ShanghaienError
from p2p_shanghaien.fairplay.hello import Invitation
from p2p_shanghaien.fairplay.verify import Report, Verdict
from p2p_shanghaien.net.addresses import Address
from p2p_shanghaien.net.relay_client import RelayTable
from p2p_shanghaien.store.catalogue import short_name
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.ui import lifecycle
from p2p_shanghaien.ui.localized import argument, command, option
from p2p_shanghaien.ui.plain import PlainTable
from p2p_shanghaien.ui.stepper import follow
from p2p_shanghaien.ui.verdicts import summary


@command(help="help_watch")
@argument("address", default="", metavar="metavar_address")
@ascii_option
@option("--plain", is_flag=True, help="help_option_plain")
def watch(address: str, ascii_only: bool | None, plain: bool) -> int:
    where, invitation = table_named(address, "shanghaien watch")
    display = Display(Home.of_user(), ascii_only, plain)
    spectator = _Spectator(display, PlainTable(ascii_only=display.ascii_lines))
    try:
        stopped = not lifecycle.run(spectator.watch(where, invitation and invitation.watching))
    except Quit:
        stopped = True
    except ShanghaienError:
        spectator.tell_kept()
        raise
    return spectator.tell_end(stopped=stopped)


class _Spectator:
    """A person who watches, in lines at `table` or, once a game is on, at a full screen."""

    def __init__(self, display: Display, table: PlainTable) -> None:
        self._display = display
        self._table = table
        self._watching: Watching | None = None
        self._at_full_screen = False

    async def watch(self, where: Address | Invited | None, invitation: Invitation | None) -> bool:
        """Watch until the host leaves, or the person does; return whether it was the host.

        Raises Quit, and as `Watching.reports`.
        """
        found = where or await find_table(self._table, asks=self._table.is_interactive, to_watch=True)
        if isinstance(found, Invited):
            invitation = found.invitation.watching
            place: Address | RelayTable = table_at(found.relay, invitation)
        else:
            place = found
        self._table.notify("joining", address=place)
        ask = partial(ask_invitation, self._table, to_watch=True) if self._table.is_interactive else None
        self._watching = Watching(self._display.home.watched, place, invitation, self._notify, ask)
        async with aclosing(self._watching.reports()) as reports:
            first = await anext(reports, None)
            if first is None:
                return True
            if self._display.is_full_screen:
                return await self._show(self._watching, first, reports)
            if first.verdict != Verdict.COMPLETE:
                return await follow(first, self._until_the_next(first, reports), self._table, "watching_now")
            return await follow(first, reports, self._table, "watching_next")

    async def _until_the_next(self, first: Report, reports: AsyncIterator[Report]) -> AsyncIterator[Report]:
        """Yield `reports`, and say of a game that has come to its end that another one would be shown."""
        before = first.verdict
        async for report in reports:
            yield report
            if report.verdict == Verdict.COMPLETE != before:
                self._notify("watching_next")
            before = report.verdict

    async def _show(self, watching: Watching, first: Report, reports: AsyncIterator[Report]) -> bool:
        """Show the game at the full screen; return whether there is nothing more to come. Raises what ended it."""
        from p2p_shanghaien.ui.full.cursor import Recorded
        from p2p_shanghaien.ui.full.replay import ReplayApp

        display, game = self._display, Recorded(first.record(), first)
        app = ReplayApp(
            game,
            display.settings,
            display.keep,
            reports,
            is_connected=lambda: watching.is_connected,
            ascii_only=display.ascii_only,
        )
        self._at_full_screen = True
        await app.present()
        self._at_full_screen = False
        if app.failure:
            raise app.failure
        return not app.cursor.live

    def _notify(self, code: str, /, **details: object) -> None:
        # the full screen shows at its corner that the host is away
        if not self._at_full_screen:
            self._table.notify(code, **details)

    def tell_end(self, *, stopped: bool) -> int:
        """Say how far the game has come that was watched last, and where it is kept; return the exit code."""
        report = self._watching.report if self._watching else None
        if stopped:
            self._table.notify("following_stopped")
        elif report and report.verdict in UNFINISHED:
            self._table.notify("watching_over")
        if report is None:
            self._table.notify("watched_nothing")
            return 0 if stopped else 1
        self.tell_kept()
        return library.exit_code(report)

    def tell_kept(self) -> None:
        """Say what is kept of the game that was watched last, if there is one."""
        if self._watching and self._watching.report and self._watching.path:
            name = short_name(self._watching.path)
            self._table.notify("verdict_line", file=name, verdict=summary(self._watching.report))
            self._table.notify("watched_kept", path=self._watching.path, digits=name.digits)
