"""`python -m fuzz TARGET [libFuzzer's options]`: seeds the target's corpus, then runs it until it is stopped."""

import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import atheris

# what is to guide the fuzzer must be instrumented while it is imported for the first time
with atheris.instrument_imports(include=["p2p_shanghaien"]):
    from fuzz import targets

from fuzz import seeds

HERE = Path(__file__).parent

TARGETS: dict[str, Callable[[bytes], None]] = {
    "entries": targets.entries,
    "logs": targets.logs,
    "records": targets.records,
    "channels": targets.channels,
    "handshakes": targets.handshakes,
    "frames": targets.frames,
    "watching": targets.watching,
    "data": targets.data,
    "archives": targets.archives,
    "relays": targets.relays,
    "routers": targets.routers,
}


def main() -> None:
    """Fuzz the target that the command line names. What it finds is kept under `found/`."""
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        sys.exit(f"usage: python -m fuzz {'|'.join(TARGETS)} [libFuzzer's options, such as -max_total_time=600]")
    name = sys.argv.pop(1)
    corpus, found = HERE / "corpus" / name, HERE / "found" / name
    for folder in (corpus, found):
        folder.mkdir(parents=True, exist_ok=True)
    for data in getattr(seeds, name)():
        (corpus / sha256(data).hexdigest()[:20]).write_bytes(data)
    arguments = [sys.argv[0], f"-artifact_prefix={found}/", "-max_len=16384", "-timeout=10", *sys.argv[1:], str(corpus)]
    atheris.Setup(arguments, TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
