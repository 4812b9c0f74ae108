"""Two endpoints in one process, without a network: the whole protocol in sixty lines.

    python examples/two_endpoints.py [FILE]

Both play at random. The signed log, the same bytes on both sides, is written to FILE, where `shanghaien verify` and
`shanghaien replay` can read it.
"""

import random
import secrets
import sys
from collections import deque
from pathlib import Path

from p2p_shanghaien.fairplay.effects import Ask, Effect, Send, Store
from p2p_shanghaien.fairplay.endpoint import Endpoint
from p2p_shanghaien.fairplay.handshake import Handshake
from p2p_shanghaien.fairplay.hello import Hello, Role, open_session
from p2p_shanghaien.fairplay.keys import Identity
from p2p_shanghaien.fairplay.match import begin
from p2p_shanghaien.fairplay.notes import Notes
from p2p_shanghaien.fairplay.preface import VERSIONS
from p2p_shanghaien.fairplay.transcript import length_prefixed, opening
from p2p_shanghaien.fairplay.verify import verify
from p2p_shanghaien.games.registry import RULES

GAME = RULES["shanghaien"].from_settings({})


def main(path: str | None) -> None:
    keys = [Identity(secrets.token_bytes(32)) for _ in range(2)]
    channel = secrets.token_bytes(32)  # there is no connection that could have one
    hellos = [
        Hello(
            VERSIONS, Role.HOST, secrets.token_bytes(32), keys[0].public, "Hanna",
            GAME.NAME, GAME.RULES_VERSION, GAME.settings, None, False, False, channel,
        ),
        Hello(
            VERSIONS, Role.GUEST, secrets.token_bytes(32), keys[1].public, "Gustav",
            None, None, (), None, False, False, channel,
        ),
    ]  # fmt: skip
    sides = [Handshake(key, hello, VERSIONS) for key, hello in zip(keys, hellos, strict=True)]
    wires = [deque(sides[1].start()), deque(sides[0].start())]
    while any(wires):
        for seat in (0, 1):
            while wires[seat]:
                wires[1 - seat] += sides[seat].receive(wires[seat].popleft())

    endpoints, connections, logs, asked = [], [], [b"", b""], [False, False]
    for seat in (0, 1):
        met = sides[seat].established
        assert met is not None
        session = open_session(met.hellos, RULES)
        notes = Notes(keys[seat], seat, met.hellos.handshake, session.keys[1 - seat])
        connections.append((met.hellos.handshake, notes))
        endpoints.append(Endpoint(begin(session), seat, keys[seat], secret=secrets.token_bytes(32)))
        logs[seat] = opening(met.hellos, met.proofs)

    def carry_out(seat: int, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Store(entry):
                    logs[seat] += length_prefixed(entry)
                case Send(frame):
                    wires[1 - seat].append(frame)
                case Ask():
                    asked[seat] = True

    for seat in (0, 1):
        carry_out(seat, endpoints[seat].begin(*connections[seat]))
    while any(wires) or any(asked):
        for seat in (0, 1):
            if wires[seat]:
                carry_out(seat, endpoints[seat].receive(wires[seat].popleft()))
            elif asked[seat]:
                asked[seat] = False
                legal = endpoints[seat].match.state.legal(endpoints[seat].player)
                carry_out(seat, endpoints[seat].act(random.choice(legal)))

    assert logs[0] == logs[1]
    report = verify(logs[0], RULES)
    print(report.verdict, report.match and report.match.result)
    if path:
        Path(path).write_bytes(logs[0])


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
