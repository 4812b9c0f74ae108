"""Errors as values: they are copied and sent to other processes whole."""

import ast
import copy
import pickle
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

import p2p_shanghaien
from p2p_shanghaien import errors
from p2p_shanghaien.errors import Code, FairplayCode, GameCode, Malformed, RecordError, ShanghaienError, StoreCode
from p2p_shanghaien.fairplay.channel import WrongInvitation
from p2p_shanghaien.fairplay.handshake import Bye, ByeReceived, HungUp, InvitationNeeded, OtherSession, Refused
from p2p_shanghaien.fairplay.preface import OtherVersion
from p2p_shanghaien.games.api import DataMissing, InvalidSetting
from p2p_shanghaien.games.registry import GameFailed
from p2p_shanghaien.net.addresses import Address, parse_relay
from p2p_shanghaien.net.relay_client import RelayClosed, RelayTable
from p2p_shanghaien.session.match_driver import NotConnected
from p2p_shanghaien.session.negotiation import Declined
from p2p_shanghaien.store.logs import SidecarUnreadable
from tests import kinds
from tests.sweeps import together

DETAILS = {
    "level": "gredy",
    "path": Path("/tmp/x"),
    "address": Address("::1"),
    "reason": Malformed(FairplayCode.TOO_LONG, limit=3),
}

WITH_FIELDS: dict[type[ShanghaienError], ShanghaienError] = {
    RecordError: RecordError(GameCode.BAD_TAG, line=3, column=9, token="x", **DETAILS),
    InvalidSetting: InvalidSetting(GameCode.UNKNOWN_SETTING, setting="colour", **DETAILS),
    DataMissing: DataMissing(game="decked", setting="deck", digest="00"),
    GameFailed: GameFailed("toy", "toys", KeyError("bid")),
    SidecarUnreadable: SidecarUnreadable(Path("/tmp/x")),
    ByeReceived: ByeReceived("\x1b"),
    Refused: Refused(Bye.BUSY),
    HungUp: HungUp(Bye.LEAVING),
    OtherSession: OtherSession(),
    OtherVersion: OtherVersion("2", "1"),
    WrongInvitation: WrongInvitation(),
    InvitationNeeded: InvitationNeeded(),
    NotConnected: NotConnected(),
    Declined: Declined("data_missing", "Gustav"),
    RelayClosed: RelayClosed(RelayTable(parse_relay("relay.example.org"), bytes(16)), 4429),
}
"""Of each class that takes something else than a code and details."""


@together("kind", kinds.errors(), ids=lambda kind: kind.__name__)
def test_an_error_comes_whole_from_another_process(kind: type[ShanghaienError]) -> None:
    error = WITH_FIELDS[kind] if kind in WITH_FIELDS else kind(StoreCode.FILE_TROUBLE, **DETAILS)
    error.add_note("seen in passing")
    copies = [pickle.loads(pickle.dumps(error, version)) for version in range(2, pickle.HIGHEST_PROTOCOL + 1)]
    for again in (*copies, copy.copy(error), copy.deepcopy(error)):
        assert type(again) is kind
        assert str(again) == str(error)
        assert again.exit_code == error.exit_code
        assert again.code is error.code
        assert again.__notes__ == ["seen in passing"]
        assert vars(again).keys() == vars(error).keys()
        for name, value in vars(error).items():
            assert getattr(again, name) == value or name == "details"
        assert again.details.keys() == error.details.keys()
        if "reason" in error.details and kind is not ByeReceived:
            assert again.details["address"] == Address("::1")
            reason = again.details["reason"]
            assert isinstance(reason, ShanghaienError)
            assert reason.details == {"limit": 3}


def test_every_class_of_errors_is_found() -> None:
    found = {kind.__name__ for kind in kinds.errors()}
    assert {name for name in vars(errors) if name.endswith("Error")} <= found
    assert "EngineError" in found


def test_every_enum_of_codes_is_found() -> None:
    found = {kind.__name__ for kind in kinds.codes()}
    assert {name for name in errors.__all__ if name.endswith("Code") and name != "Code"} <= found
    assert "ShanghaienCode" in found


def test_no_code_stands_in_two_enums() -> None:
    codes = [code.value for kind in kinds.codes() for code in kind]
    assert len(set(codes)) == len(codes)


def raised() -> Iterator[tuple[str, str]]:
    """Each code that an error is made with in the package, and the class."""
    names, enums = {kind.__name__ for kind in kinds.errors()}, {kind.__name__ for kind in kinds.codes()}
    for path in Path(p2p_shanghaien.__file__).parent.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        calls = [(node.func.id, node) for node in ast.walk(tree) if isinstance(node, ast.Call) and is_name(node.func)]
        calls += [
            (kind.name, node)
            for kind in ast.walk(tree)
            if isinstance(kind, ast.ClassDef) and kind.name in names
            for node in ast.walk(kind)
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "super().__init__"
        ]
        for name, node in calls:
            for part in ast.walk(node.args[0]) if name in names and node.args else ():
                if isinstance(part, ast.Attribute) and ast.unparse(part.value) in enums:
                    yield ast.unparse(part), name


def is_name(node: ast.expr) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name)


def test_what_has_a_class_of_its_own_is_raised_as_nothing_else() -> None:
    """Or it would not be caught where the class is."""
    classes: dict[str, set[str]] = defaultdict(set)
    for code, name in raised():
        classes[code].add(name)
    assert classes["AppCode.NOT_RESUMABLE"] == {"NotResumable"}
    assert classes["FairplayCode.OTHER_SESSION"] == {"OtherSession"}
    assert not {code: names for code, names in classes.items() if len(names) > 1 and names - set(errors.__all__)}


def test_a_code_is_known_to_other_programs_without_the_name_of_its_game() -> None:
    class OwnCode(Code):
        BAD_GOAL = "own:bad_goal"

    assert OwnCode.BAD_GOAL.unqualified == "bad_goal"
    assert str(Malformed(OwnCode.BAD_GOAL, goal=3)) == "bad_goal(goal=3)"
    assert FairplayCode.TOO_LONG.unqualified == "too_long"
