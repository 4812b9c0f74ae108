"""Both verifiers give the same verdict on any log, field by field (SPEC 9.3)."""

from collections.abc import Iterable
from itertools import islice
from random import Random
from typing import Any

from p2p_shanghaien.fairplay.verify import verify
from p2p_shanghaien.games.api import Reading
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.store.lines import read_shown
from p2p_shanghaien.ui.verdicts import fields
from tests.sweeps import sweep
from tests.verifier.made import Case, fresh, mutated
from tests.verifier.node import answers, in_hexadecimal


@sweep("seed", range(15), every=15)
def test_fresh_games(seed: int) -> None:
    rng = Random(f"fresh {seed}")
    check_alike(fresh(rng).case for _ in range(20))


@sweep("seed", range(50), every=50)
def test_damaged_logs_and_cheats(seed: int) -> None:
    check_alike(islice(mutated(Random(f"mutated {seed}")), 60))


def check_alike(cases: Iterable[Case]) -> None:
    """Assert that both verifiers say the same of each log."""
    cases = list(cases)
    requests = [{"log": case.log.hex(), "data": in_hexadecimal(case.data), "handshakes": case.shown} for case in cases]
    for case, second in zip(cases, answers(requests), strict=True):
        assert second == verdict(case), case.label


def verdict(case: Case) -> dict[str, Any]:
    """Return the package's verdict, but for the file's name."""
    report = verify(case.log, Reading(RULES, case.data.get), read_shown(case.shown.encode()))
    found = fields("", report)
    del found["file"]
    return found
