"""The news at Halunken's table, in sentences."""

from collections.abc import Iterator

from p2p_shanghaien.games.api import Acted, Step
from p2p_shanghaien.games.halunken.happenings import (
    BlackJackMoved,
    CardDrawn,
    DensFilled,
    Displaced,
    FirstRogue,
    HandScored,
    Happening,
    Hired,
    Lost,
    Moved,
    Revealed,
    RoundBegan,
    Stolen,
    TurnedUp,
)
from p2p_shanghaien.games.halunken.rogues import Rogue, stronger
from p2p_shanghaien.games.halunken.rules import LEAVE, PASS, RUM, Phase, State, happenings
from p2p_shanghaien.ui.view import News, Viewpoint
from p2p_shanghaien.ui.words import listed, say


def news(before: State, step: Step, viewpoint: Viewpoint) -> Iterator[News]:
    """Yield the news about `step`. To place a captain has none: the first rogue follows at once."""
    if isinstance(step, Acted):
        yield from _acted(before, step, viewpoint)
    told = _Told(before, viewpoint)
    for happening in happenings(before, step):
        yield from told.about(happening)


def rogue_words(rogue: Rogue) -> str:
    """Return a rogue in a sentence: its notation and its colour."""
    return say("halunken:rogue", rogue=rogue, colour=colour_words(rogue[0]))


def colour_words(colour: str) -> str:
    """Return a colour's name."""
    return say(f"halunken:colour_{colour}")


def card_words(card: str) -> str:
    """Return a movement card: its number, or rum."""
    return say("halunken:rum") if card == RUM else card


def other_news(code: str, player: int, other: int, viewpoint: Viewpoint, /, **details: object) -> News:
    """Return news about `player` and the `other`: of `code_by`, if the other is the user and the player acts."""
    if other == viewpoint.me:
        return News(f"{code}_by", {"who": viewpoint.labels[player], **details})
    return viewpoint.news(code, player, other=viewpoint.labels[other], **details)


def _acted(state: State, step: Acted, viewpoint: Viewpoint) -> Iterator[News]:
    """Yield the decision itself, as far as what follows from it does not say it."""
    player, action = step
    thing = action.partition(":")[2]
    match state.phase:
        case Phase.PLACE_JACK:
            yield viewpoint.news("halunken:jack_placed", player, space=thing)
        case Phase.AUCTION if action == PASS:
            yield viewpoint.news("halunken:passed", player)
        case Phase.AUCTION:
            yield viewpoint.news("halunken:bid", player, rogue=rogue_words(thing))
        case Phase.NAME:
            yield viewpoint.news("halunken:named", player, number=action[1:])
        case Phase.JACK_NAME:
            yield viewpoint.news("halunken:named_jack", player, number=action[2:])
        case Phase.ROB_CAPTAIN | Phase.ROB_JACK | Phase.JACK_ROB if action == LEAVE:
            yield viewpoint.news("halunken:left_it", player)


class _Told:
    """The story of one step; crews are counted along, since the sizes at each moment say who may rob whom."""

    def __init__(self, before: State, viewpoint: Viewpoint) -> None:
        self._before = before
        self._viewpoint = viewpoint
        self._sizes = [len(crew) for crew in before.crews]
        self._firsts = {player: crew[0] for player, crew in enumerate(before.crews) if crew}
        self._decided = before.phase == Phase.ROB_CAPTAIN
        """True until the captain is displaced who could be robbed: the player has decided, and needs no reason."""

    def about(self, happening: Happening) -> Iterator[News]:
        """Yield one happening in a sentence or two."""
        say_of = self._viewpoint.news
        match happening:
            case FirstRogue(_, player, space, rogue):
                self._sizes[player] = 1
                self._firsts[player] = rogue
                yield say_of("halunken:first_rogue", player, space=space, rogue=rogue_words(rogue))
            case DensFilled():
                yield News("halunken:dens_filled")
                yield from self._stronger()
            case RoundBegan(state):
                yield self._round(state)
            case Hired(None, _):
                yield News("halunken:nobody_hired")
            case Hired(int(player), str(rogue)):
                self._sizes[player] -= 1
                yield say_of("halunken:hired", player, rogue=rogue_words(rogue))
            case Revealed():
                yield from self._revealed(happening)
            case Moved():
                yield self._moved(happening)
            case TurnedUp(space, rogue):
                yield News("halunken:turned_up", {"space": space, "rogue": rogue_words(rogue)})
            case Stolen():
                yield self._stolen(happening)
            case Displaced():
                yield from self._displaced(happening)
            case CardDrawn(card):
                yield News("halunken:card_drawn", {"card": card_words(card)})
            case BlackJackMoved():
                yield from self._jack_moved(happening)
            case Lost(player, rogue):
                self._sizes[player] -= 1
                yield say_of("halunken:lost", player, rogue=rogue_words(rogue))
            # a game of one hand is over with it, which is said anyway
            case HandScored() if self._before.options.hands > 1:
                yield self._scored(happening)

    def _stronger(self) -> Iterator[News]:
        """Yield who is to place Black Jack, and why, once both have their first rogues."""
        state = self._before
        if state.options.blackjack:
            owner = stronger((self._firsts[0], self._firsts[1]))
            yield other_news("halunken:stronger", owner, 1 - owner, self._viewpoint, rogue=self._firsts[owner])

    def _round(self, state: State) -> News:
        if state.opener is None:
            return News("halunken:round_begins_simple", {"round": state.round})
        return self._viewpoint.news("halunken:round_begins", state.opener, round=state.round)

    def _revealed(self, shown: Revealed) -> Iterator[News]:
        viewpoint = self._viewpoint
        near, far = (card_words(shown.cards[player]) for player in (viewpoint.near, viewpoint.far))
        yield viewpoint.news(
            "halunken:revealed", viewpoint.near, near=near, far=far, other=viewpoint.labels[viewpoint.far]
        )
        if shown.jack:
            yield News("halunken:revealed_jack", {"card": card_words(shown.jack)})
        if shown.cancelled:
            yield News("halunken:cancelled")

    def _moved(self, moved: Moved) -> News:
        details = {"number": moved.number, "space": moved.end}
        if moved.rogue is None:
            code = "halunken:moved_empty" if moved.number else "halunken:stayed_empty"
            return self._viewpoint.news(code, moved.player, **details)
        self._sizes[moved.player] += 1
        code = "halunken:moved" if moved.number else "halunken:stayed"
        return self._viewpoint.news(code, moved.player, rogue=rogue_words(moved.rogue), **details)

    def _stolen(self, stolen: Stolen) -> News:
        thief, victim = stolen.thief, stolen.victim
        self._sizes[thief] += 1
        rogue = rogue_words(stolen.rogue)
        if victim is None:
            return self._viewpoint.news("halunken:took_loot", thief, rogue=rogue)
        self._sizes[victim] -= 1
        code = "halunken:jack_stole" if self._before.phase == Phase.JACK_ROB else "halunken:stole"
        return other_news(code, thief, victim, self._viewpoint, rogue=rogue)

    def _displaced(self, displaced: Displaced) -> Iterator[News]:
        captain = displaced.captain
        if captain is None:
            yield News("halunken:jack_displaced", {"space": displaced.end})
            return
        if not self._decided:
            yield self._no_theft(1 - captain)
        self._decided = False
        yield self._viewpoint.news("halunken:displaced", captain, space=displaced.end)

    def _no_theft(self, thief: int) -> News:
        """Return why `thief` robs nobody of the other's crew."""
        sizes = {"own": self._sizes[thief], "count": self._sizes[1 - thief]}
        code = "halunken:too_many" if sizes["count"] else "halunken:none_to_steal"
        return other_news(code, thief, 1 - thief, self._viewpoint, **sizes)

    def _jack_moved(self, moved: BlackJackMoved) -> Iterator[News]:
        me = self._viewpoint.me
        met = listed(say("halunken:met_you") if each == me else self._viewpoint.labels[each] for each in moved.met)
        code = "halunken:jack_met" if moved.met else "halunken:jack_moved"
        yield News(code, {"number": moved.number, "space": moved.end, "met": met})
        if moved.hirer is not None and 1 - moved.hirer in moved.met:
            sizes = self._sizes[moved.hirer], self._sizes[1 - moved.hirer]
            if not 0 < sizes[1] >= sizes[0]:
                yield self._no_theft(moved.hirer)

    def _scored(self, scored: HandScored) -> News:
        viewpoint = self._viewpoint
        points = {"near": scored.points[viewpoint.near], "far": scored.points[viewpoint.far]}
        names = {"who": viewpoint.who(viewpoint.near), "other": viewpoint.who(viewpoint.far)}
        return News("halunken:hand_over", {"hand": scored.hand, **points, **names})
