"""A game that is moved to another machine: one copy of it can go on, and only one; nothing else is let in."""

import io
import random
import stat
import struct
import tracemalloc
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.fairplay.data import digest_of
from p2p_shanghaien.games.api import Reading
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.store import archives
from p2p_shanghaien.store.archives import (
    MAX_ARCHIVE,
    Archive,
    export_archive,
    import_archive,
    is_archive,
    parse_archive,
    read_archive,
)
from p2p_shanghaien.store.data import MAX_DATA, data_name, kept_data
from p2p_shanghaien.store.files import replace
from p2p_shanghaien.store.logs import GameLog, read_sidecar
from p2p_shanghaien.store.paths import log_path
from p2p_shanghaien.ui.words import describe
from tests.decked import Decked
from tests.pair import make_pair
from tests.store.kept import OTHER, OWN, begun, keep
from tests.sweeps import sweep

PAIR = begun()
ANY = Path("any.zip")
SESSION = PAIR.sides[1].endpoint.match.session.id
NAME = f"{SESSION.hex()}-guest"
LOG = PAIR.sides[1].log


@cache
def packed() -> bytes:
    """Return the bytes of the game, packed up."""
    with TemporaryDirectory() as folder:
        export_archive(keep(Path(folder), PAIR), Path(folder, "game.zip"), RULES)
        return Path(folder, "game.zip").read_bytes()


def kept(games: Path) -> Path:
    return keep(games, PAIR)


def code(caught: pytest.ExceptionInfo[LocalError]) -> str:
    return caught.value.code


def moved_to(archive: Path, games: Path) -> Path:
    return import_archive(read_archive(archive, RULES), games)


def test_a_game_is_moved_and_gone_on_with_there_alone(tmp_path: Path) -> None:
    path = kept(tmp_path / "old")
    whole, private = path.read_bytes(), read_sidecar(path)
    assert not is_archive(path)
    export_archive(path, tmp_path / "game.zip", RULES)
    assert is_archive(path)
    with pytest.raises(LocalError):
        GameLog.reopen(path, 0)
    assert path.read_bytes() == whole, "it can still be looked at"
    archive = read_archive(tmp_path / "game.zip", RULES)
    assert archive.key == OWN.public
    assert not (tmp_path / "new").exists(), "nothing is written before it is asked for"
    moved = import_archive(archive, tmp_path / "new")
    assert moved == log_path(tmp_path / "new", SESSION, 1)
    assert moved.read_bytes() == whole
    assert read_sidecar(moved) == private
    assert moved.with_suffix(".private").stat().st_mode & 0o777 == 0o600
    assert not is_archive(moved)
    GameLog.reopen(moved, 0).close()


def test_and_back_again_with_what_was_played_meanwhile(tmp_path: Path) -> None:
    path = kept(tmp_path / "old")
    export_archive(path, tmp_path / "there.zip", RULES)
    moved = moved_to(tmp_path / "there.zip", tmp_path / "new")
    later = begun(40)
    moved.write_bytes(later.sides[1].log)
    assert moved.read_bytes().startswith(path.read_bytes())
    export_archive(moved, tmp_path / "back.zip", RULES)
    assert moved_to(tmp_path / "back.zip", tmp_path / "old").read_bytes() == moved.read_bytes()
    GameLog.reopen(path, 0).close()


def test_a_game_being_played_is_not_packed(tmp_path: Path) -> None:
    path = kept(tmp_path)
    log = GameLog.reopen(path, 0)
    with pytest.raises(LocalError) as caught:
        export_archive(path, tmp_path / "game.zip", RULES)
    assert code(caught) == "seat_in_use"
    log.close()
    assert not (tmp_path / "game.zip").exists()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    path = kept(tmp_path / "games")
    (tmp_path / "game.zip").write_text("mine")
    with pytest.raises(LocalError) as caught:
        export_archive(path, tmp_path / "game.zip", RULES)
    assert code(caught) == "file_exists"
    GameLog.reopen(path, 0).close()
    export_archive(path, tmp_path / "other.zip", RULES)
    moved_to(tmp_path / "other.zip", tmp_path / "games")
    with pytest.raises(LocalError) as caught:
        moved_to(tmp_path / "other.zip", tmp_path / "games")
    assert code(caught) == "game_is_here"


def test_of_two_programs_that_unpack_at_once_one_has_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    export_archive(kept(tmp_path / "old"), tmp_path / "game.zip", RULES)
    archive = read_archive(tmp_path / "game.zip", RULES)

    def after_the_other(path: Path, data: bytes) -> None:
        monkeypatch.setattr(archives, "replace", replace)
        import_archive(archive, tmp_path / "new")
        replace(path, data)

    monkeypatch.setattr(archives, "replace", after_the_other)
    with pytest.raises(LocalError) as caught:
        import_archive(archive, tmp_path / "new")
    assert code(caught) == "game_is_here"
    GameLog.reopen(log_path(tmp_path / "new", SESSION, 1), 0).close()


DECK = bytes([77, 1, 2, 3])


def decked(*data: bytes) -> Reading:
    """Return a game that is played by data from outside, with these at hand."""
    return Reading({"decked": Decked}, {digest_of(each): each for each in data}.get)


def decked_archive(folder: Path) -> bytes:
    rng = random.Random(1)
    games = decked(DECK)
    game = games["decked"].from_settings({"deck": digest_of(DECK)})
    pair = make_pair(rng, game, games=games, identities=(OTHER, OWN))
    pair.play(rng, until=lambda pair: pair.sides[1].endpoint.match.number >= 4)
    export_archive(keep(folder / "old", pair), folder / "game.zip", games)
    return (folder / "game.zip").read_bytes()


def test_the_data_that_a_game_is_played_by_move_with_it(tmp_path: Path) -> None:
    data = decked_archive(tmp_path)
    archive = parse_archive(ANY, data, decked())
    assert archive.session.game.named_data() == {digest_of(DECK): DECK}
    import_archive(archive, tmp_path / "new")
    assert kept_data(tmp_path / "new", digest_of(DECK)) == DECK


def test_data_of_another_name_or_too_many_are_no_archive(tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(decked_archive(tmp_path))) as zipped:
        log, private, deck = ((item.filename, zipped.read(item)) for item in zipped.infolist())
    for members, reason in (
        ((log, private), "bad_archive"),
        ((log, private, (deck[0], DECK[:-1])), "not_an_archive"),
        ((log, private, ("../deck.shdata", DECK)), "not_an_archive"),
        ((log, private, deck, (data_name(digest_of(bytes(MAX_DATA + 1))), bytes(MAX_DATA + 1))), "not_an_archive"),
        ((log, private, *((data_name(digest_of(bytes([n]))), bytes([n])) for n in range(17))), "not_an_archive"),
    ):
        changed = io.BytesIO()
        with zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as written:
            for name, content in members:
                written.writestr(name, content)
        with pytest.raises(LocalError) as caught:
            parse_archive(ANY, changed.getvalue(), decked())
        assert code(caught) == reason


@pytest.mark.parametrize("part", ["log", "private", "name"])
def test_what_could_not_be_unpacked_is_not_packed_and_can_still_be_played(tmp_path: Path, part: str) -> None:
    path = kept(tmp_path / "games")
    if part == "name":
        for suffix in (".shlog", ".private"):
            path.with_suffix(suffix).rename(path.with_name(f"mine{suffix}"))
        path = path.with_name("mine.shlog")
    else:
        damaged = path.with_suffix({"log": ".shlog", "private": ".private"}[part])
        data = bytearray(damaged.read_bytes())
        data[0] ^= 1
        damaged.write_bytes(data)
    with pytest.raises(LocalError) as caught:
        export_archive(path, tmp_path / "game.zip", RULES)
    assert code(caught) == "not_packed"
    assert path.with_suffix(".private").exists()
    assert not (tmp_path / "game.zip").exists()


def zipped(*members: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return data.getvalue()


def test_packing() -> None:
    """The archive that the tests below change is one that is taken."""
    assert parse_archive(ANY, packed(), RULES).log == LOG


def _private() -> bytes:
    with zipfile.ZipFile(io.BytesIO(packed())) as archive:
        return archive.read(f"{NAME}.private")


def _linked(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


def _changed(data: bytes, signature: bytes, at: int, form: str, value: int) -> bytes:
    """`data` with another value in every header of a kind."""
    changed = bytearray(data)
    where = data.find(signature)
    while where >= 0:
        struct.pack_into(form, changed, where + at, value)
        where = data.find(signature, where + 4)
    return bytes(changed)


CENTRAL, LOCAL, END = b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06"


def strangers() -> Iterator[tuple[str, bytes]]:
    """Archives that are none of ours, each with what is wrong with it."""
    good, private = packed(), _private()
    parts = (f"{NAME}.shlog", LOG), (f"{NAME}.private", private)
    yield "empty", b""
    yield "garbage", b"PK\x03\x04 garbage"
    yield "no files", zipped()
    yield "no sidecar", zipped(parts[0])
    yield "no log", zipped(parts[1])
    yield "the other order", zipped(*reversed(parts))
    yield "three", zipped(*parts, ("two.shlog", b"x"))
    with pytest.warns(UserWarning, match="Duplicate name"):
        yield "a log twice", zipped(parts[0], parts[0])
    yield "nested", zipped((f"{NAME}.shlog", good), (f"{NAME}.private", good))
    for label, method in (("stored", zipfile.ZIP_STORED), ("bzip2", zipfile.ZIP_BZIP2), ("lzma", zipfile.ZIP_LZMA)):
        yield label, zipped(*parts, method=method)
    for label, folder in (("traversal", "../"), ("absolute", "/"), ("within a folder", "games/"), ("drive", "C:")):
        yield label, zipped(*((folder + name, data) for name, data in parts))
    yield "links", zipped(*((_linked(name), data) for name, data in parts))
    yield "folders", zipped(*((f"{name}/", data) for name, data in parts))
    for seat in ("host", "umpire"):
        named = f"{SESSION.hex()}-{seat}"
        yield f"named {seat!r}", zipped((f"{named}.shlog", LOG), (f"{named}.private", private))
    yield "another game's name", zipped((f"{'0' * 64}-guest.shlog", LOG), (f"{'0' * 64}-guest.private", private))
    yield "encrypted", _changed(_changed(good, CENTRAL, 8, "<H", 1), LOCAL, 6, "<H", 1)
    yield "a size that is a lie", _changed(good, CENTRAL, 24, "<I", 10)
    yield "a size beyond all bounds", _changed(good, CENTRAL, 24, "<I", 0xFFFFFFFE)
    yield "zip64 without its field", _changed(good, CENTRAL, 24, "<I", 0xFFFFFFFF)
    yield "members beyond the end", _changed(good, CENTRAL, 42, "<I", 0xFFFF)
    yield "a directory beyond the end", _changed(good, END, 12, "<I", 0xFFFFFFFF)
    yield "a compression that is none", _changed(_changed(good, CENTRAL, 10, "<H", 99), LOCAL, 8, "<H", 99)
    yield "lzma by name alone", _changed(_changed(good, CENTRAL, 10, "<H", 14), LOCAL, 8, "<H", 14)
    yield "bytes that are not deflated", good[:100] + bytes(50) + good[150:]
    yield "a log that is none", zipped((f"{NAME}.shlog", b"SHLOG"), parts[1])
    yield "a log with a bit flipped", zipped((f"{NAME}.shlog", LOG[:-9] + b"\x00" + LOG[-8:]), parts[1])
    yield "a sidecar that is none", zipped(parts[0], (f"{NAME}.private", b"x"))
    yield "a deep sidecar", zipped(parts[0], (f"{NAME}.private", b"[" * 100_000))
    yield "a key that is a pattern", zipped(parts[0], (f"{NAME}.private", private.replace(b'"identity"', b'"**"')))
    yield "a key elsewhere", zipped(parts[0], (f"{NAME}.private", private.replace(b'"identity"', b'"../identity"')))
    yield (
        "a short secret",
        zipped(parts[0], (f"{NAME}.private", b'{"secret": "00", "key": "identity", "address": "x"}')),
    )


def _bomb(size: int, claimed: int) -> bytes:
    """Return an archive whose members unpack to `size` zeros, and whose directory claims another size."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = b"".join(packer.compress(bytes(1 << 20)) for _ in range(size >> 20)) + packer.flush()
    data, central = b"", b""
    for name in (f"{NAME}.shlog".encode(), f"{NAME}.private".encode()):
        head = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 33, zlib.crc32(bytes(claimed)), len(body), claimed, len(name), 0)
        central += (
            CENTRAL + struct.pack("<H", 20) + head + struct.pack("<HHHII", 0, 0, 0, 0o600 << 16, len(data)) + name
        )
        data += LOCAL + head + name + body
    return data + central + END + struct.pack("<HHHHIIH", 0, 0, 2, 2, len(central), len(data), 0)


def test_what_is_no_archive_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    archive, games = tmp_path / "game.zip", tmp_path / "games"
    for label, data in strangers():
        archive.write_bytes(data)
        with pytest.raises(LocalError) as caught:
            moved_to(archive, games)
        assert code(caught) in ("not_an_archive", "bad_archive"), label
        assert str(archive) in describe(caught.value), label
    assert not games.exists()


@sweep("claimed", [1 << 28, 10, 1000, MAX_ARCHIVE - 1], every=4, ids=str)
def test_a_bomb_is_not_unpacked(claimed: int) -> None:
    data = _bomb(1 << 28, claimed)
    assert len(data) < MAX_ARCHIVE
    tracemalloc.start()
    try:
        with pytest.raises(LocalError, match=r"not_an_archive|bad_archive"):
            parse_archive(ANY, data, RULES)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 3 * MAX_ARCHIVE


def test_an_archive_cut_anywhere_is_refused() -> None:
    whole = packed()
    for end in range(len(whole)):
        with pytest.raises(LocalError):
            parse_archive(ANY, whole[:end], RULES)


def test_a_bit_flipped_anywhere_is_refused_or_changes_nothing() -> None:
    """Some bits of an archive (dates, versions) mean nothing for what is in it."""
    good, rng = packed(), random.Random(1)
    wanted = parse_archive(ANY, good, RULES)
    for at in range(len(good)):
        data = bytearray(good)
        data[at] ^= 1 << rng.randrange(8)
        with suppress(LocalError):
            assert _same(parse_archive(ANY, bytes(data), RULES), wanted)


def _same(one: Archive, other: Archive) -> bool:
    return (one.name, one.log, one.sidecar_bytes) == (other.name, other.log, other.sidecar_bytes)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    edits=st.lists(
        st.tuples(st.integers(0, 1 << 16), st.integers(0, 40), st.binary(max_size=40)), min_size=1, max_size=6
    )
)
def test_an_archive_changed_anyhow_is_refused_or_says_the_same(edits: list[tuple[int, int, bytes]]) -> None:
    data = packed()
    for at, cut, new in edits:
        place = at % (len(data) + 1)
        data = data[:place] + new + data[place + cut :]
    with suppress(LocalError):
        assert _same(parse_archive(ANY, data, RULES), parse_archive(ANY, packed(), RULES))


@given(log=st.binary(max_size=200), private=st.binary(max_size=200))
def test_members_that_hold_anything_are_refused(log: bytes, private: bytes) -> None:
    for parts in ((log, private), (LOG, private)):
        data = zipped(*zip((f"{NAME}.shlog", f"{NAME}.private"), parts, strict=True))
        with pytest.raises(LocalError):
            parse_archive(ANY, data, RULES)
