"""No bytes make the verifier in JavaScript fail: each file gets a verdict."""

import pytest

from tests.verifier.node import node


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [1, 2])
def test_every_file_gets_a_verdict(seed: int) -> None:
    done = node("test/fuzz.js", "150", str(seed))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "150 passed, 0 failed"
