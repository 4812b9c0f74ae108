"""A participant without a person."""

from p2p_shanghaien.fairplay.notes import IF_YOU_LIKE


class Machine:
    """A participant that agrees to everything, waits as long as it takes, and never chats."""

    async def agrees(self, code: str, /, **details: object) -> bool:  # noqa: ARG002
        return True

    def stop_waiting(self, code: str, /, **details: object) -> None:  # noqa: ARG002
        return None

    def command(self) -> None:
        return None

    async def again(self) -> int:
        return IF_YOU_LIKE
