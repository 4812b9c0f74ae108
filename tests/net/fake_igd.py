"""An Internet Gateway Device on loopback that answers over UPnP in every way that routers are known to."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final, NamedTuple
from xml.sax.saxutils import escape, unescape

from p2p_shanghaien.net.upnp import UpnpRouter

SERVICE: Final = "urn:schemas-upnp-org:service:WANIPConnection:1"
DEVICE: Final = "urn:schemas-upnp-org:device:InternetGatewayDevice:1"

DESCRIPTION: Final = """<?xml version="1.0"?>
<root xmlns="urn:schemas-upnp-org:device-1-0"><specVersion><major>1</major><minor>0</minor></specVersion>
<device><deviceType>urn:schemas-upnp-org:device:InternetGatewayDevice:1</deviceType><deviceList>
<device><deviceType>urn:schemas-upnp-org:device:WANDevice:1</deviceType>
<serviceList><service><serviceType>urn:schemas-upnp-org:service:WANCommonInterfaceConfig:1</serviceType>
<controlURL>/common</controlURL><eventSubURL/><SCPDURL/></service></serviceList>
<deviceList><device><deviceType>urn:schemas-upnp-org:device:WANConnectionDevice:1</deviceType>
<serviceList><service><serviceType>{service}</serviceType>
<controlURL>{control}</controlURL><eventSubURL/><SCPDURL/></service></serviceList>
</device></deviceList></device></deviceList></device></root>
"""


class Mapping(NamedTuple):
    """A mapping as a router keeps it."""

    client: str
    port: int
    description: str
    lease: int


class Error(NamedTuple):
    """An error that is answered instead of a result (UPnP Device Architecture, section 3.2.2)."""

    code: int


Answer = dict[str, object] | Error | bytes | None
"""Results, an error, a whole answer of HTTP, or silence."""
Behaviour = Callable[["FakeIgd", str, dict[str, str]], Answer]
"""A router's answer to an action with arguments."""


def well_behaved(igd: "FakeIgd", action: str, arguments: dict[str, str]) -> Answer:
    """Answer as WANIPConnection:1 says."""
    number = int(arguments.get("NewExternalPort", 0))
    there = igd.mappings.get(number)
    match action:
        case "GetExternalIPAddress":
            return {"NewExternalIPAddress": igd.address}
        case "GetSpecificPortMappingEntry":
            return _entry(there) if there else Error(714)
        case "DeletePortMapping":
            return {} if igd.mappings.pop(number, None) else Error(714)
        case "AddPortMapping":
            wanted = Mapping(
                arguments["NewInternalClient"],
                int(arguments["NewInternalPort"]),
                arguments["NewPortMappingDescription"],
                int(arguments["NewLeaseDuration"]),
            )
            if there and there.client != wanted.client:
                return Error(718)
            igd.mappings[number] = wanted
            return {}
    return Error(401)


def instead(**answers: Answer) -> Behaviour:
    """Return the behaviour of a router that answers the actions named with `answers`, and others well."""
    return lambda igd, action, arguments: answers[action] if action in answers else well_behaved(igd, action, arguments)


def _entry(mapping: Mapping) -> dict[str, object]:
    return {
        "NewInternalPort": mapping.port,
        "NewInternalClient": mapping.client,
        "NewEnabled": 1,
        "NewPortMappingDescription": mapping.description,
        "NewLeaseDuration": mapping.lease,
    }


class FakeIgd:
    """A router that behaves as `behaves` says; `asked` are the actions so far, each with its arguments.

    `location` is where it says that its description is, `control` where that says that requests go, and `page` the
    whole answer in place of the description.
    """

    def __init__(self, behaves: Behaviour = well_behaved, host: str = "127.0.0.1") -> None:
        self.behaves = behaves
        self.host = host
        self.address = "5.9.8.7"
        self.mappings: dict[int, Mapping] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.fetched = 0
        self.service = SERVICE
        self.target = DEVICE
        self.location = ""
        self.control = "/control"
        self.page: bytes | None = None
        self.flood: tuple[bytes, float] | None = None
        """Bytes that are sent without end in place of the description, and the seconds between them."""
        self.searches = 0
        self.sends: asyncio.DatagramTransport | None = None
        """The socket that answers a search, if it is not the one that was asked."""
        self.tasks: set[asyncio.Task[None]] = set()
        self.searched = 0
        """The UDP port at which it is searched for."""

    @property
    def actions(self) -> list[str]:
        return [action for action, _ in self.asked]

    @property
    def opened(self) -> dict[int, Mapping]:
        """The mappings that are ours, by description."""
        return {number: each for number, each in self.mappings.items() if each.description == "shanghaien"}

    def router(self) -> UpnpRouter:
        """Return this router, as its client finds it."""
        return UpnpRouter("127.0.0.1", port=self.searched, pause=0.05, patience=0.4)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self.tasks.add(task)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                await self._serve(reader, writer)
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
            self.tasks.discard(task)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("ascii")
        length = re.search(r"(?i)content-length: *(\d+)", head)
        body = (await reader.readexactly(int(length[1]))).decode("utf-8") if length else ""
        if head.startswith("GET"):
            self.fetched += 1
            page = DESCRIPTION.format(service=self.service, control=self.control).encode()
            answer: bytes | None = page_of(page) if self.page is None else self.page
        else:
            answer = self._soap(head, body)
        if answer is None:
            await reader.read()
            return
        writer.write(answer)
        await writer.drain()
        while self.flood:
            writer.write(self.flood[0])
            await writer.drain()
            await asyncio.sleep(self.flood[1])

    def _soap(self, head: str, body: str) -> bytes | None:
        action = re.search(rf'(?i)soapaction: *"?{re.escape(self.service)}#(\w+)', head)
        if not action or not head.startswith(f"POST {self.control} "):
            return page_of(b"<html><body>Not Found</body></html>", "404 Not Found")
        fields = re.findall(r"<(New\w+)>([^<]*)</\1>", body)
        arguments = {name: unescape(value) for name, value in fields}
        self.asked.append((action[1], arguments))
        answer = self.behaves(self, action[1], arguments)
        if answer is None or isinstance(answer, bytes):
            return answer
        if isinstance(answer, Error):
            return page_of(_envelope(_FAULT.format(code=answer.code)), "500 Internal Server Error")
        results = "".join(f"<{name}>{escape(str(value))}</{name}>" for name, value in answer.items())
        return page_of(_envelope(f'<u:{action[1]}Response xmlns:u="{SERVICE}">{results}</u:{action[1]}Response>'))


_FAULT: Final = (
    "<s:Fault><faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring><detail>"
    '<UPnPError xmlns="urn:schemas-upnp-org:control-1-0"><errorCode>{code}</errorCode></UPnPError></detail></s:Fault>'
)


def _envelope(body: str) -> bytes:
    namespaces = 'xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"'
    return f'<?xml version="1.0"?><s:Envelope {namespaces}><s:Body>{body}</s:Body></s:Envelope>'.encode()


def page_of(body: bytes, status: str = "200 OK", *headers: str) -> bytes:
    """Return an answer of HTTP."""
    lines = (f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers, "", "")
    return "\r\n".join(lines).encode() + body


def found(location: str, target: str = DEVICE) -> bytes:
    """Return an answer to a search (UPnP Device Architecture, section 1.3.3)."""
    lines = ("HTTP/1.1 200 OK", "CACHE-CONTROL: max-age=120", f"ST: {target}", "EXT:", f"Location: {location}", "", "")
    return "\r\n".join(lines).encode()


class _Searched(asyncio.DatagramProtocol):
    def __init__(self, igd: FakeIgd) -> None:
        self._igd = igd

    def connection_made(self, transport: asyncio.DatagramTransport) -> None:  # type: ignore[override]
        self._transport = transport

    def datagram_received(self, packet: bytes, sender: tuple[str, int]) -> None:
        self._igd.searches += 1
        assert packet.startswith(b"M-SEARCH * HTTP/1.1\r\n")
        assert b'MAN: "ssdp:discover"\r\n' in packet
        if f"ST: {self._igd.target}\r\n".encode() in packet:
            (self._igd.sends or self._transport).sendto(found(self._igd.location, self._igd.target), sender)


@asynccontextmanager
async def serving(igd: FakeIgd, searched: int = 0) -> AsyncIterator[FakeIgd]:
    """Have the router serve, and be found at UDP port `searched` (0: a free one), while the block runs."""
    loop = asyncio.get_running_loop()
    server = await asyncio.start_server(igd.serve, igd.host, 0)
    address = igd.host, server.sockets[0].getsockname()[1]
    igd.location = igd.location or f"http://{address[0]}:{address[1]}/rootDesc.xml"
    transport, _ = await loop.create_datagram_endpoint(lambda: _Searched(igd), local_addr=(igd.host, searched))
    igd.searched = transport.get_extra_info("sockname")[1]
    try:
        yield igd
    finally:
        transport.close()
        server.close()
        for task in igd.tasks:
            task.cancel()
        await asyncio.gather(*igd.tasks, return_exceptions=True)
