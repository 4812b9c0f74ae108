"""Tables to sit down at: `play`, `host`, `join`, `resume`; who plays for us and how it looks."""

import shlex
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial, wraps
from typing import Any, Final, TypeAlias

import click

from p2p_shanghaien.app import lobby
from p2p_shanghaien.app.advisor import Advisor
from p2p_shanghaien.app.choice import GameChoice
from p2p_shanghaien.app.contacts import display_name, recognise
from p2p_shanghaien.app.find_table import ask_invitation, find_table
from p2p_shanghaien.app.hints import hints, hints_on
from p2p_shanghaien.app.invitations import Invited, is_invited
from p2p_shanghaien.app.learning import taught
from p2p_shanghaien.app.lobby import Endpoint, Keeper, Opened, Result
from p2p_shanghaien.app.participants.computer import PATIENCE, computer_side, level_of, machine, shown_level
from p2p_shanghaien.app.participants.external_engine import PREFIX
from p2p_shanghaien.app.participants.human import LocalPerson, Person
from p2p_shanghaien.app.practice_session import PracticeSession, RecordKeeper
from p2p_shanghaien.app.saved import agree_to_repair, latest, read_saved
from p2p_shanghaien.app.turn_command import TurnCommand
from p2p_shanghaien.app.tutor import Tutor, TutoredPerson
from p2p_shanghaien.app.user_interface import UserInterface
from p2p_shanghaien.app.worker import Worker, analysed_aside
from p2p_shanghaien.cli.files import kept_games
from p2p_shanghaien.cli.learn import learn_first, offer
from p2p_shanghaien.cli.options import (
    HUMAN,
    Display,
    GameCommand,
    PlayerChoice,
    percentage,
    table_named,
)
from p2p_shanghaien.cli.output import ascii_option, warn
from p2p_shanghaien.errors import CliCode, UsageError
from p2p_shanghaien.fairplay.hello import MAX_WATCHERS, Role
from p2p_shanghaien.fairplay.verify import Report
from p2p_shanghaien.games.api import Game
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.net.addresses import DEFAULT_PORT, MAX_PORT, is_within_wsl, parse, parse_relay
from p2p_shanghaien.players import Advise, levels
from p2p_shanghaien.session.negotiation import Side
from p2p_shanghaien.session.participant import Decider, Observer
from p2p_shanghaien.session.ports import Opponent
from p2p_shanghaien.settings import command_words
from p2p_shanghaien.shutdown import SHUTDOWN
from p2p_shanghaien.store.catalogue import find, short_name
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.ui import lifecycle
from p2p_shanghaien.ui.localized import argument, command, option
from p2p_shanghaien.ui.naming import called, level_name, level_words
from p2p_shanghaien.ui.plain import PlainTable
from p2p_shanghaien.ui.post_game import PostGame
from p2p_shanghaien.ui.stepper import step_through
from p2p_shanghaien.ui.turn_call import TurnCall
from p2p_shanghaien.ui.verdicts import summary
from p2p_shanghaien.ui.words import say

_Command: TypeAlias = Callable[..., int]


@dataclass(frozen=True)
class SeatOptions(Display):
    """The options on who plays for us and how it looks. `tutor_from` is in percentage points."""

    player: str
    patience: float | None
    silent: bool
    name: str = ""
    tutor: bool = False
    tutor_from: float | None = None

    @property
    def is_person(self) -> bool:
        """True where no computer player sits there."""
        return self.player == HUMAN

    @property
    def is_full_screen(self) -> bool:
        return self.is_person and super().is_full_screen

    @property
    def has_tutor(self) -> bool:
        """True if the tutor is wanted."""
        return self.tutor or self.tutor_from is not None

    def game(self, choice: GameChoice, level: str | None = None) -> Game[Any]:
        """Return the game that `choice` asks for; at the full screen the person picks it where it is left open.

        They pick from the games that have the computer player `level`, if one is given. Raises UsageError, LocalError,
        and click's Exit where the person leaves.
        """
        games: Sequence[str] = ()
        if self.is_full_screen:
            games = [game for game in choice.open() if not level or level.startswith(PREFIX) or level in levels(game)]
        if games:
            choice = choice._replace(name=games[0] if len(games) == 1 else self._picked(games))
        return choice.game()

    def _picked(self, games: Sequence[str]) -> str:
        from p2p_shanghaien.ui.full.picking import GamePicker

        lessons = [game for game in games if game in taught()]
        while True:
            picked = self.ask(partial(GamePicker, games, self.home.settings_file, lessons=lessons))
            if not picked.learns:
                return picked.game
            learn_first(self, picked.game)

    def table(
        self, keeper: Keeper | None = None, advise: Advise | None = None, *, against_computer: bool = False
    ) -> UserInterface:
        """Return where the person sits: the full screen where the terminal can show it and nobody wants lines.

        `keeper` has their games, if they are kept as logs; `advise` gives them hints; None: there are none. A computer
        that answers at once calls nobody. Raises LocalError.
        """
        settings = self.settings
        command = TurnCommand(command_words(settings.on_turn)) if settings.on_turn else None
        call = TurnCall(command, against_computer=against_computer)
        post_game = None
        if keeper and self.is_person:
            post_game = PostGame(partial(_last_game, keeper), analysed_aside, hints, step_through)
        if not self.is_full_screen:
            bell, ascii_only = settings.bell and not self.silent, self.ascii_lines
            return PlainTable(ascii_only=ascii_only, bell=bell, advise=advise, call=call, post_game=post_game)
        from p2p_shanghaien.ui.full.game import GameApp
        from p2p_shanghaien.ui.full.table import FullTable

        app = GameApp(settings, self.keep, ascii_only=self.ascii_only, advise=advise, post_game=post_game)
        return FullTable(app, bell=not self.silent, call=call)

    def offer_lesson(self, game: str) -> None:
        """Offer the lesson of that game to a person who has not played yet. Raises as `learn.offer`."""
        if self.is_person:
            offer(self, game)

    def check_fits(self, *, practice: bool = False) -> None:
        """Raise UsageError if practice or the tutor, which are for a person, do not fit these options."""
        for name, is_given in (("--practice", practice), ("--tutor", self.has_tutor)):
            if is_given and not self.is_person:
                raise UsageError(CliCode.PRACTICE_NEEDS_PERSON, option=name, player=self.player)
        if practice and self.patience is not None:
            raise UsageError(CliCode.PRACTICE_HAS_NO_PEER)

    def local_person(self, advisor: Advisor, table: UserInterface, *, takes_back: bool = False) -> LocalPerson:
        """Return the person at `table` in games against the computer, with the tutor if it is wanted (`Tutor`).

        Raises UsageError.
        """
        if not self.has_tutor:
            return LocalPerson(table)
        return TutoredPerson(table, Tutor(advisor, self._least_loss), takes_back=takes_back)

    def _least_loss(self) -> float:
        """Return the least loss of which the tutor speaks: the one given, or set at the moment."""
        return (self.home.settings().settings.tutor_loss if self.tutor_from is None else self.tutor_from) / 100

    def call(self, name: str, seat: Role) -> str:
        """Return what we call a peer of that name at `seat`."""
        return called("called_host" if seat == Role.HOST else "called_guest", name, self.name)

    def side(
        self,
        keeper: Keeper,
        table: UserInterface,
        game: str | None = None,
        *,
        person: Person | None = None,
        against_computer: bool = False,
    ) -> Side:
        """Return the side of whoever started this program and sits at `table`, such as the `person` there.

        `game` and what is raised as for `machine`.
        """
        decider: Decider = person or Person(table)
        patience = self.patience
        if not self.is_person:
            decider = machine(self.player, game, _computer_name(self.player), keeper.played, table.thinks)
            patience = PATIENCE if patience is None else patience
        if against_computer:
            return keeper.side(self.name, table, decider, recognise=_introduced, patience=patience)
        known = partial(recognise, self.home, called=lambda name: called("called_before", name, ""))
        challenges = self.home if self.is_person else None
        return keeper.side(
            self.name, table, decider, recognise=known, call=self.call, patience=patience, challenges=challenges
        )


async def _last_game(keeper: Keeper) -> tuple[str, Report]:
    """Return the game that `keeper` has kept last, verified, and what a command calls it. Raises LocalError."""
    return short_name(keeper.log).digits, await Worker().run(keeper.verdict)


def _computer_name(player: str) -> str:
    """Return what the computer player `player`, or the external one, is called at the table."""
    return say("computer_name", player=level_name(shown_level(player)))


def _run(table: UserInterface, keeper: Keeper, playing: Coroutine[Any, Any, Result]) -> int:
    """Play at `table`, whose games `keeper` stores, and return the exit code. Raises as `playing` before a game."""
    return _attend(table, keeper.settle(playing), lambda: keeper.exit_code)


def _attend(table: UserInterface, session: Coroutine[Any, Any, int], so_far: Callable[[], int]) -> int:
    """Run `session` at `table` and return its exit code, or the one `so_far` if it is ended.

    A request to end is taken as the person's leaving.
    """
    SHUTDOWN.code = so_far
    code = lifecycle.run(table.run_session(session))
    return so_far() if code is None else code


_NAME: Final = option("--name", metavar="metavar_name", help="help_option_name")
_TUTOR: Final = (
    option("--tutor", is_flag=True, help="help_option_tutor"),
    option("--tutor-from", type=percentage, metavar="metavar_percentage", help="help_option_tutor_from"),
)
_SEAT: Final = (
    option("--player", type=PlayerChoice(HUMAN), default=HUMAN, help="help_option_player"),
    option("--patience", type=click.FloatRange(min=0), metavar="metavar_seconds", help="help_option_patience"),
    ascii_option,
    option("--no-bell", "silent", is_flag=True, help="help_option_no_bell"),
    option("--plain", is_flag=True, help="help_option_plain"),
)


def _seated(*further: Callable[[Any], Any]) -> Callable[[_Command], _Command]:
    """Give a command the options on who plays for us, and these `further` ones; they come as its `seat`."""

    every: Sequence[Callable[[Any], Any]] = (*further, *_SEAT)

    def taking(command: _Command) -> _Command:
        @wraps(command)
        def seated(**given: Any) -> int:
            home = Home.of_user()
            options = {each.name: given.pop(each.name) for each in fields(SeatOptions) if each.name in given}
            if "name" in options:
                options["name"] = display_name(home, options["name"], say("nameless"))
            return command(seat=SeatOptions(home, **options), **given)

        for added in reversed(every):
            seated = added(seated)
        return seated

    return taking


@command(cls=GameCommand, help="help_play")
@option("--against", type=PlayerChoice(), help="help_option_against")
@option("--practice", is_flag=True, help="help_option_practice")
@_seated(*_TUTOR, _NAME)
def play(against: str | None, practice: bool, choice: GameChoice, seat: SeatOptions) -> int:
    home = seat.home
    seat.check_fits(practice=practice)
    game = seat.game(choice, against)
    seat.offer_lesson(game.NAME)
    level = against or GAMES[game.NAME].opponent
    other = _computer_name(level)
    keeper = None if practice else Keeper(home)
    advisor = Advisor(game.NAME)
    table = seat.table(keeper, advisor.options, against_computer=True)
    person = seat.local_person(advisor, table, takes_back=practice)
    if keeper is None:
        records = RecordKeeper(home.practice, (seat.name, other))
        opponent = machine(level, game.NAME, other, records.played, table.thinks)
        return _attend(table, PracticeSession(table, person, opponent, records).play(game), lambda: 0)
    ours = seat.side(keeper, table, game.NAME, person=person, against_computer=True)
    theirs = computer_side(home, level, game.NAME, other, table.thinks)
    return _run(table, keeper, lobby.play(ours, keeper, theirs, game))


def _introduced(opponent: Opponent) -> Iterable[tuple[str, dict[str, object]]]:
    yield "against_computer", {"name": opponent.name}


@command(cls=GameCommand, help="help_host")
@option("--bind", metavar="metavar_address", help="help_option_bind")
@option(
    "--port", type=click.IntRange(0, MAX_PORT), default=DEFAULT_PORT, metavar="metavar_port", help="help_option_port"
)
@option("--advertise", metavar="metavar_address", help="help_option_advertise")
@option("--relay", metavar="metavar_relay", help="help_option_relay")
@option("--open-port", is_flag=True, help="help_option_open_port")
@option("--private", is_flag=True, help="help_option_private")
@option(
    "--watchers", type=click.IntRange(0, MAX_WATCHERS), default=0, metavar="metavar_number", help="help_option_watchers"
)
@option("--announce/--no-announce", default=True, help="help_option_announce")
@_seated(_NAME)
def host(
    bind: str | None,
    port: int,
    advertise: str | None,
    relay: str | None,
    open_port: bool,
    private: bool,
    watchers: int,
    announce: bool,
    choice: GameChoice,
    seat: SeatOptions,
) -> int:
    outside = parse(advertise) if advertise else None
    through = parse_relay(relay) if relay else None
    home = seat.home
    game = seat.game(choice)
    seat.offer_lesson(game.NAME)
    keeper = Keeper(home, sociable=True)
    table = seat.table(keeper)
    side = seat.side(keeper, table, game.NAME)
    if private or through or open_port:
        side = replace(side, invitation=lobby.new_invitation(side.identity))

    def opened(where: Opened) -> None:
        table.notify("hosting" if where.addresses else "hosting_here_only", port=where.port)
        if where.addresses and where.announced is False:
            table.notify("not_announced")
        _tell_addresses(table, where, "shanghaien join")
        only_nearby = not through and not open_port and all(address.is_private for address in where.addresses)
        if where.addresses and only_nearby and home.has_met_nobody:
            table.notify("only_nearby")
        if side.invitation:
            invited = Invited(side.invitation, through)
            if through:
                table.notify("relay_table", command="shanghaien join", invitation=invited)
            else:
                table.notify("private_table", invitation=invited)
        _tell_watchers(table, keeper)
        table.notify("waiting")

    announced = announce and side.invitation is None
    endpoint = Endpoint(
        bind, port, outside, announced=announced, relay=through, opens_port=open_port, watchers=watchers
    )
    return _run(table, keeper, lobby.host(side, keeper, game, endpoint, opened))


def _tell_watchers(table: Observer, keeper: Keeper) -> None:
    """Say how others can watch, if they may."""
    if keeper.watchers and keeper.to_watch:
        relay = keeper.relayed.relay if keeper.relayed else None
        code, invited = "watchers_invited_relay" if relay else "watchers_invited", Invited(keeper.to_watch, relay)
        table.notify(code, command="shanghaien watch", invitation=invited, count=keeper.watchers)
    elif keeper.watchers:
        table.notify("watchers_welcome", command="shanghaien watch", count=keeper.watchers)


def _tell_addresses(table: Observer, where: Opened, command: str) -> None:
    """Say what a guest has to type, with each of the addresses that lead here, or from another terminal."""
    for address in where.addresses:
        code = "join_line_zone" if address.link_local else "join_line"
        table.notify(code, command=f"{command} {shlex.quote(str(address))}")
    if where.addresses and is_within_wsl():
        table.notify("within_wsl")
    if where.here not in where.addresses:
        table.notify("join_line_here", command=f"{command} {shlex.quote(str(where.here))}")


@command(cls=GameCommand, help="help_join")
@argument("address", default="", metavar="metavar_address")
@_seated(_NAME)
def join(address: str, choice: GameChoice, seat: SeatOptions) -> int:
    where, invitation = table_named(address, "shanghaien join")
    wishes = choice.insisted()
    seat.offer_lesson(choice.game().NAME)
    keeper = Keeper(seat.home, sociable=True)
    table = seat.table(keeper)
    if invitation:
        lobby.check_to_play(invitation)
    side = replace(seat.side(keeper, table), invitation=invitation)
    found = partial(find_table, table, asks=seat.is_person)
    ask = partial(ask_invitation, table) if seat.is_person else None
    return _run(table, keeper, lobby.join(side, keeper, where or found, wishes, ask))


@command(help="help_resume")
@argument("game", default="", metavar="metavar_game", shell_complete=kept_games)
@argument("address", default="", metavar="metavar_address")
@option("--bind", metavar="metavar_address", help="help_option_bind")
@option("--port", type=click.IntRange(0, MAX_PORT), metavar="metavar_port", help="help_option_port_again")
@option("--open-port", is_flag=True, help="help_option_open_port_again")
@option("--against", type=PlayerChoice(), help="help_option_against_again")
@option("--repair", is_flag=True, help="help_option_repair")
@_seated(*_TUTOR)
def resume(
    game: str,
    address: str,
    bind: str | None,
    port: int | None,
    open_port: bool,
    against: str | None,
    repair: bool,
    seat: SeatOptions,
) -> int:
    if is_invited(address) or is_invited(game):
        raise UsageError(CliCode.RESUMED_WITHOUT_INVITATION)
    home = seat.home
    seat.check_fits()
    kept = read_saved(home, find(home.games, game)) if game else latest(home, warn)
    session, name, key = kept.session, kept.session.game.NAME, kept.sidecar.key
    if address and kept.seat == Role.HOST:
        raise UsageError(CliCode.HOST_NEEDS_NO_ADDRESS, address=address)
    where = parse(address) if address else None
    keeper = Keeper(home, key, kept.path)
    seat = replace(seat, name=session.names[kept.seat])
    theirs = kept.opponent(home)
    advise = hints_on(kept.report, name, home, warn)
    table = seat.table(keeper, advise, against_computer=theirs is not None)
    identity = home.owner(session.keys[kept.seat], key)
    side = replace(seat.side(keeper, table, name, against_computer=theirs is not None), identity=identity)
    other = Role(1 - kept.seat)
    called = seat.call(session.names[other], other)
    for named, is_given in (("--against", against), ("--tutor", seat.has_tutor)):
        if is_given and theirs is None:
            raise UsageError(CliCode.AGAINST_A_PERSON, name=called, option=named)
    tutored = seat.local_person(Advisor(name), table) if seat.has_tutor else None
    if kept.only_lacks_its_end(theirs):
        # whoever takes a finished game up again does so for the peer, and waits for it
        side = replace(side, last_word=None)
        table.notify("handing_over", name=called)
    if not kept.is_damaged:
        table.notify("resuming", game=kept.name, verdict=summary(kept.report))
    opponent = None
    if theirs:
        level = against or level_of(session.names[other], name, level_words)
        opponent = theirs, computer_side(home, level, name, _computer_name(level), table.thinks, theirs.path)

    def opened(at: Opened) -> None:
        table.notify("hosting_again" if at.addresses else "hosting_again_here_only", name=called, port=at.port)
        _tell_addresses(table, at, f"shanghaien resume {kept.digits}")
        if kept.sidecar.relay:
            table.notify("hosting_again_relay", name=called, relay=kept.sidecar.relay)
        _tell_watchers(table, keeper)

    async def playing() -> Result:
        games = [each for each in (kept, theirs) if each]
        await agree_to_repair(games, side, repair=repair, asks=seat.is_person)
        ours = replace(side, decider=tutored) if tutored else side
        again = partial(lobby.resume, kept, ours, keeper, opponent=opponent, opened=opened)
        return await again(address=where, bind=bind, port=port, opens_port=open_port)

    return _run(table, keeper, playing())
