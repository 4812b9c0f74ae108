"""The cost of verifying a signed log, compared with the bare signature checks, and over several threads."""

import os
import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from statistics import median
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from benchmarks.report import Row, table
from p2p_shanghaien.fairplay.entries import parse
from p2p_shanghaien.fairplay.hello import Head, Hellos, open_session, proof_digest
from p2p_shanghaien.fairplay.keys import PublicKey
from p2p_shanghaien.fairplay.transcript import read
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.registry import RULES
from tests.pair import make_pair

FILES = 32
ROUNDS = 9

Signed = tuple[bytes, bytes, bytes]
"""A public key, a digest, and the signature over it."""


class Seconds(NamedTuple):
    """A duration: of all processors together, and by the clock."""

    processor: float
    clock: float


def run(files: int = FILES, rounds: int = ROUNDS) -> list[Row]:
    """Measure all sides in turns, round after round; the ratios are the medians of the rounds' own ratios.

    What a file costs is time of the processor; what threads gain is time of the clock, on a machine with nothing else
    to do.
    """
    logs = [finished_game(seed) for seed in range(files)]
    signed = [signatures(log) for log in logs]
    threads = os.cpu_count() or 1
    bare, alone, together = [], [], []
    for _ in range(rounds):
        bare.append(_seconds(partial(_check_each, signed)))
        alone.append(_seconds(partial(_verify_over, 1, logs)))
        together.append(_seconds(partial(_verify_over, threads, logs)))
    base = f"{sum(map(len, signed)) / files:.0f} bare Ed25519 verifications"
    one, many = "finished games verified, one thread", f"finished games verified, {threads} threads"
    costs = [whole.processor / part.processor for whole, part in zip(alone, bare, strict=True)]
    gains = [one_.clock / all_.clock for one_, all_ in zip(alone, together, strict=True)]
    by_processor = [median(each.processor for each in times) / files * 1e3 for times in (bare, alone)]
    by_clock = [files / median(each.clock for each in times) for times in (alone, together)]
    return [
        Row(base, by_processor[0], "ms", "", 1.0),
        Row("verifying a finished game", by_processor[1], "ms", base, median(costs)),
        Row(one, by_clock[0], "games/s", "", 1.0),
        Row(many, by_clock[1], "games/s", one, median(gains)),
    ]


def finished_game(seed: int) -> bytes:
    """Return the log of a random game between two keys that no other game has."""
    rng = random.Random(seed)
    pair = make_pair(rng)
    pair.play(rng)
    return pair.sides[0].log


def signatures(log: bytes) -> list[Signed]:
    """Return every signature that verifying a log must check."""
    parts = read(log)
    session = open_session(parts.hellos, RULES)
    handshake, start = Hellos(*parts.hellos).handshake, Head(0, session.id)
    proofs = [
        (session.keys[seat], proof_digest(handshake, session.id, seat, start), parts.proofs[seat]) for seat in (0, 1)
    ]
    entries = map(parse, parts.entries)
    return proofs + [(session.keys[entry.seat], entry.hash, entry.signature) for entry in entries]


def _check_each(signed: Sequence[Sequence[Signed]]) -> None:
    for signatures_ in signed:
        keys = {key: Ed25519PublicKey.from_public_bytes(key) for key, _, _ in signatures_}
        for key, digest, signature in signatures_:
            keys[key].verify(signature, digest)


def _verify_over(threads: int, logs: Sequence[bytes]) -> None:
    # every file is looked at for the first time, as by a command that is given it
    PublicKey.of.cache_clear()
    with ThreadPoolExecutor(threads) as pool:
        if set(pool.map(_verdict, logs)) != {Verdict.COMPLETE}:
            raise RuntimeError("a finished game is not complete")


def _verdict(log: bytes) -> Verdict:
    return verify(log, RULES).verdict


def _seconds(work: Callable[[], None]) -> Seconds:
    start = Seconds(time.process_time(), time.perf_counter())
    work()
    return Seconds(time.process_time() - start.processor, time.perf_counter() - start.clock)


if __name__ == "__main__":
    print(table(run()))
