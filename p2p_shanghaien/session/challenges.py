"""Challenges to a rematch, as the two who meet pass them on (protocol/SPEC.md, section 7.5)."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from p2p_shanghaien.errors import FairplayCode, LocalError, Malformed
from p2p_shanghaien.fairplay.challenge import Challenge, Terms, parse_challenge, sign_challenge
from p2p_shanghaien.fairplay.match import Session
from p2p_shanghaien.session.ports import Opponent

if TYPE_CHECKING:
    from p2p_shanghaien.session.negotiation import Side


class Challenges:
    """The challenges between us and an opponent at a table on these terms.

    A failure of the store must not cost a game: the local player is notified of it.
    """

    def __init__(self, side: "Side", opponent: Opponent, terms: Terms) -> None:
        self._store = side.challenges
        self._identity = side.identity
        self._notify = side.observer.notify
        self._opponent = opponent
        self._terms = terms
        self._has_heard = False

    def pass_on(self) -> Challenge | None:
        """Return our challenge to the opponent, if there is one, to be sent now that we meet."""
        challenge = self._kept
        if challenge:
            code = "challenge_passed_on_here" if challenge.terms == self._terms else "challenge_passed_on"
            self._notify(code, **self._details(challenge))
        return challenge

    def hear(self, words: tuple[object, ...]) -> None:
        """Tell the local player of the opponent's challenge.

        Raises Malformed if the opponent has not signed it, or has sent one before.
        """
        challenge = parse_challenge(words)
        if self._has_heard:
            raise Malformed(FairplayCode.CHALLENGED_TWICE)
        if not challenge.is_between(self._opponent.key, self._identity.public):
            raise Malformed(FairplayCode.FALSE_CHALLENGE)
        self._has_heard = True
        code = "challenged_here" if challenge.terms == self._terms else "challenged"
        self._notify(code, **self._details(challenge))

    def answered(self) -> None:
        """Drop our challenge to a game on these terms: both have agreed to one, or the opponent has declined it."""
        challenge = self._kept
        if self._store is not None and challenge and challenge.terms == self._terms:
            with self._troubles_told():
                self._store.keep_challenge(self._opponent.key, self._opponent.name, None)

    def make(self, session: Session) -> None:
        """Challenge the opponent, who has left, to another game like that of `session`."""
        if self._store is not None:
            with self._troubles_told():
                challenge = sign_challenge(self._identity, self._opponent.key, session)
                self._store.keep_challenge(self._opponent.key, self._opponent.name, challenge)
                self._notify("challenge_kept", name=self._opponent.called)

    @cached_property
    def _kept(self) -> Challenge | None:
        with self._troubles_told():
            if self._store is not None:
                return self._store.challenge_to(self._opponent.key)
        return None

    @contextmanager
    def _troubles_told(self) -> Iterator[None]:
        try:
            yield
        except LocalError as error:
            self._notify("challenge_in_trouble", name=self._opponent.called, reason=error)

    def _details(self, challenge: Challenge) -> dict[str, object]:
        settings = ", ".join(f"{name} {value}" for name, value in challenge.terms.settings)
        return {"name": self._opponent.called, "game": challenge.terms.game, "settings": settings}
