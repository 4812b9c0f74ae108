"""A damaged log is looked at up to the damage, and healed by what the peer has."""

import json
import shutil
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.fairplay.transcript import length_prefixed, read
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.store.logs import read_sidecar
from tests.cli.program import RANDOM, Host, Running, check_finished, logs, shanghaien
from tests.sweeps import sweep

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

HOST, GUEST = "here", "there"


class Homes(NamedTuple):
    """Both homes of one game; `starts` says at which byte of the log each entry begins, and where the last one ends."""

    here: Path
    there: Path
    starts: tuple[int, ...]

    def log(self, home: str) -> Path:
        (path,) = logs(getattr(self, home))
        return path

    def cut(self, number: int) -> None:
        """Put both back to before entry `number`, which neither has heard of."""
        for home in (HOST, GUEST):
            path = self.log(home)
            path.write_bytes(path.read_bytes()[: self.starts[number]])
            private = path.with_suffix(".private")
            lines = private.read_text().splitlines()
            private.write_text("\n".join(line for line in lines if 'delivered": true' not in line) + "\n")
            assert not read_sidecar(path).delivered


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two homes with one whole game between two computer players."""
    root = tmp_path_factory.mktemp("played")
    host = Host(root / HOST, *RANDOM)
    try:
        joined = shanghaien(root / GUEST, "join", host.address, *RANDOM)
        assert joined.returncode == host.exit_code() == 0, joined.stderr + host.output
    finally:
        host.stop()
    return root


@pytest.fixture
def homes(played: Path, tmp_path: Path) -> Homes:
    root = tmp_path / "homes"
    shutil.copytree(played, root)
    (path,) = logs(root / HOST)
    whole = read(path.read_bytes())
    at = len(whole.opening)
    starts = [at]
    for entry in whole.entries:
        at += len(length_prefixed(entry))
        starts.append(at)
    return Homes(root / HOST, root / GUEST, tuple(starts))


def flip(path: Path, at: int, bit: int = 0) -> bytes:
    data = bytearray(path.read_bytes())
    data[at] ^= 1 << bit
    path.write_bytes(data)
    return bytes(data)


def resume_both(homes: Homes, first: str, *options: str) -> tuple[str, str]:
    """Resume both sides to the end, `first` with `options`; what each has said, that of `first` first."""
    second = GUEST if first == HOST else HOST
    game = homes.log(first).name[:12]
    with Running(getattr(homes, HOST), "resume", game, *(options if first == HOST else ()), *RANDOM) as host:
        host.wait_for("Waiting for")
        guest = shanghaien(getattr(homes, GUEST), "resume", game, *(options if first == GUEST else ()), *RANDOM)
        assert guest.returncode == host.exit_code() == 0, guest.stdout + guest.stderr + host.output
        said = {HOST: host.output, GUEST: guest.stdout + guest.stderr}
    check_finished(homes.here, homes.there)
    return said[first], said[second]


PLACES: Final[dict[str, Callable[[tuple[int, ...], int], int]]] = {
    "a length": lambda starts, end: starts[end // 2] + 1,
    "an entry in the middle": lambda starts, end: starts[end // 2] + 90,
    "the first entry": lambda starts, end: starts[0] + 30,
    "the last entry": lambda starts, end: starts[end] - 5,
}


@sweep("place, home, finished", product(PLACES, [HOST, GUEST], [False, True]), every=11)
def test_a_damaged_log_is_healed_by_the_peer(homes: Homes, home: str, place: str, finished: bool) -> None:
    end = len(homes.starts) - 1
    if not finished:
        end = 81
        homes.cut(end)
    path = homes.log(home)
    whole = path.read_bytes()
    damaged = flip(path, PLACES[place](homes.starts, end))
    refused = shanghaien(getattr(homes, home), "resume", path.name[:12], *RANDOM)
    assert refused.returncode == 3
    assert "--repair" in refused.stderr
    assert path.read_bytes() == damaged, "never without being told to"
    ours, _ = resume_both(homes, home, "--repair")
    assert "damaged" in ours
    assert homes.log(home).read_bytes().startswith(whole)
    aside = path.with_suffix(".damaged").read_bytes()
    assert damaged.endswith(aside)
    assert aside


def test_the_person_is_asked(homes: Homes) -> None:
    homes.cut(81)
    path = homes.log(HOST)
    damaged = flip(path, homes.starts[40] + 50)
    for stdin in ("no\n", ""):
        refused = shanghaien(homes.here, "resume", stdin=stdin)
        assert refused.returncode == 3
        assert "is damaged" in " ".join(refused.stdout.split())
        assert "--repair" in refused.stderr
        assert "Traceback" not in refused.stderr
        assert path.read_bytes() == damaged
    with Running(homes.here, "resume") as host:
        host.wait_for("yes or no")
        host.type("yes")
        host.wait_for("Waiting for")
        with Running(homes.there, "resume", *RANDOM):
            host.wait_for("restored from")


@sweep("lost, home", product([1, 2, 7, 100], [HOST, GUEST]), every=8)
def test_the_end_of_a_finished_game_comes_back(homes: Homes, home: str, lost: int) -> None:
    path = homes.log(home)
    whole = path.read_bytes()
    path.write_bytes(whole[: homes.starts[-1 - lost]])
    _, endpoint = resume_both(homes, home)
    assert path.read_bytes() == whole
    assert "finished here" in endpoint


@pytest.mark.thorough
@pytest.mark.parametrize("first", [HOST, GUEST])
def test_a_finished_game_waits_for_a_peer_for_as_long_as_its_person_likes(homes: Homes, first: str) -> None:
    with Running(getattr(homes, first), "resume", homes.log(first).name[:12]) as one:
        one.wait_for("finished here")
        one.wait_for("Waiting for")
        one.type("")
        other = HOST if first == GUEST else GUEST
        with Running(getattr(homes, other), "resume", homes.log(other).name[:12]) as two:
            two.wait_for("both signed")
            one.wait_for("both signed")


@pytest.mark.thorough
def test_damage_at_the_beginning_is_said_to_be_past_repair(homes: Homes, thorough: bool) -> None:
    homes.cut(81)
    path = homes.log(HOST)
    whole = path.read_bytes()
    for at in range(0, homes.starts[0], 40 if thorough else 400):
        path.write_bytes(whole)
        damaged = flip(path, at, 1)
        for options in ((), ("--repair",)):
            refused = shanghaien(homes.here, "resume", path, *options, *RANDOM)
            assert refused.returncode == 3, at
            assert "damaged at its beginning" in " ".join(refused.stderr.split()), at
            assert path.read_bytes() == damaged
    # both logs are the same, so the peer's can take its place
    path.write_bytes(homes.log(GUEST).read_bytes())
    resume_both(homes, HOST)


@pytest.mark.thorough
def test_the_logs_of_a_game_against_the_computer_heal_each_other(tmp_path: Path) -> None:
    assert shanghaien(tmp_path, "play", *RANDOM).returncode == 0
    paths = logs(tmp_path)
    whole = paths[0].read_bytes()
    for damaged in paths:
        flip(damaged, len(whole) // 2)
        assert shanghaien(tmp_path, "resume", paths[1].name[:12], *RANDOM).returncode in (1, 3)
        healed = shanghaien(
            tmp_path, "resume", damaged.parent / paths[0].name.replace("guest", "host"), "--repair", *RANDOM
        )
        assert healed.returncode == 0, healed.stdout + healed.stderr
        assert [path.read_bytes() for path in paths] == [whole, whole]


# Looking at what stands before the damage


@pytest.mark.thorough
@sweep("at", [0, 2, 60], every=3)
def test_a_damaged_log_is_looked_at_up_to_the_damage(homes: Homes, at: int) -> None:
    path, cut = homes.log(HOST), homes.here / "cut.shlog"
    cut.write_bytes(path.read_bytes()[: homes.starts[100]])
    flip(path, homes.starts[100] + at, 4)
    assert verify(path.read_bytes(), RULES).verdict == Verdict.INVALID_FILE
    home = homes.here
    shown, sound = (shanghaien(home, "replay", each, "--json") for each in (path, cut))
    assert (shown.returncode, sound.returncode) == (3, 0)
    events, expected = ([json.loads(line) for line in each.stdout.splitlines()] for each in (shown, sound))
    assert events[:-1] == expected[:-1]
    assert events[-1]["event"] == "damaged"
    assert "damaged" in shown.stderr
    exported, sound = (shanghaien(home, "export", each) for each in (path, cut))
    assert (exported.returncode, sound.returncode) == (3, 0)
    assert exported.stdout == sound.stdout
    assert "damaged" in exported.stderr
    analysed, sound = (shanghaien(home, "analyse", each, "--json") for each in (path, cut))
    assert (analysed.returncode, sound.returncode) == (3, 0)
    fields, wanted = json.loads(analysed.stdout), json.loads(sound.stdout)
    assert (fields["verdict"], fields["end"]) == ("INVALID FILE", "damaged")
    assert fields["steps"] == wanted["steps"]
    told = shanghaien(home, "replay", path)
    assert told.returncode == 3
    assert "INVALID FILE" in told.stdout
    assert "Round 1" in told.stdout
    shown = shanghaien(home, "analyse", path)
    assert shown.returncode == 3
    assert "INVALID FILE" in shown.stdout


def test_damage_buys_no_hints_in_a_game_that_goes_on(homes: Homes) -> None:
    homes.cut(81)
    path = homes.log(HOST)
    flip(path, homes.starts[80] + 50)
    asked = shanghaien(homes.here, "replay", path, stdin="e\nhint\n")
    assert "%" not in asked.stdout


# The file beside the log


@pytest.mark.thorough
@pytest.mark.parametrize("home", [HOST, GUEST])
def test_a_damaged_sidecar_is_begun_anew(homes: Homes, home: str) -> None:
    homes.cut(81)
    path = homes.log(home)
    private = path.with_suffix(".private")
    before = read_sidecar(path)
    damaged = flip(private, 0)
    with pytest.raises(LocalError):
        read_sidecar(path)
    mine = getattr(homes, home)
    address = () if home == HOST else ("127.0.0.1:1",)
    refused = shanghaien(mine, "resume", path.name[:12], *address, *RANDOM)
    assert refused.returncode == 3
    assert "secret" in refused.stderr
    assert private.read_bytes() == damaged
    if home == GUEST:
        lost = shanghaien(mine, "resume", path.name[:12], "--repair", *RANDOM)
        assert lost.returncode == 1
        assert "ADDRESS" in lost.stderr
    game, port = path.name[:12], ("--bind", "127.0.0.1", "--port", 0)
    repair = {home: ("--repair",)}
    with Running(homes.here, "resume", game, *port, *repair.get(HOST, ()), *RANDOM) as host:
        at = host.wait_for(r"shanghaien resume \w+ '?(127\.0\.0\.1:\d+)")[1]
        with Running(homes.there, "resume", game, at, *repair.get(GUEST, ()), *RANDOM) as guest:
            repaired, other = (host, guest) if home == HOST else (guest, host)
            # the secret is lost: with an open commitment of ours nothing false is signed, and the peer waits
            if repaired.exit_code():
                assert "does not match your commitment" in " ".join(repaired.output.split())
            else:
                assert other.exit_code() == 0
    aside = Path(f"{private}.damaged")
    assert aside.read_bytes() == damaged
    assert read_sidecar(path).key == before.key
    assert read_sidecar(path).secret != before.secret
    for each in (HOST, GUEST):
        assert verify(homes.log(each).read_bytes(), RULES).violator is None


@pytest.mark.parametrize("home", [HOST, GUEST])
def test_no_bit_of_a_sidecar_brings_a_traceback_or_a_violation(homes: Homes, home: str, thorough: bool) -> None:
    homes.cut(81)
    path = homes.log(home)
    private = path.with_suffix(".private")
    whole = private.read_bytes()
    for at in range(1, len(whole), 11 if thorough else 110):
        private.write_bytes(whole)
        flip(private, at, at % 7)
        ended = shanghaien(getattr(homes, home), "resume", path.name[:12], "--patience", "0.2", *RANDOM, stdin="")
        assert "Traceback" not in ended.stderr, at
        assert ended.returncode in (1, 2, 3, 4, 5), at
        assert verify(path.read_bytes(), RULES).verdict == Verdict.INCOMPLETE
