"""A relay behind nginx, which speaks TLS with a certificate of a test CA: `wss`, as players on the internet meet it."""

import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path
from typing import Final

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from websockets.sync.client import connect

from p2p_shanghaien.app.invitations import read_invited
from p2p_shanghaien.store.logs import SIDECAR_SUFFIX
from tests import needs
from tests.cli.program import PATIENCE, RANDOM, Running, check_finished, logs, shanghaien, take_guest

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

PAGE: Final = Path(__file__).parents[2] / "docs" / "relay.md"
CONFIGURATION: Final = """
daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log info;
events {{ }}
http {{
  access_log {folder}/access.log combined;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port} ssl;
    ssl_certificate {folder}/relay.pem; ssl_certificate_key {folder}/relay.key;
    {location}
  }}
}}
"""
"""With the block that the page has for this."""

PAUSE: Final = 150.0
"""Seconds in which nobody plays, far longer than the minute after which nginx gives up a silent connection."""


def certified(folder: Path) -> None:
    """Write the certificate of a test CA, and one of it for 127.0.0.1, with its key, into `folder`."""
    keys = [ec.generate_private_key(ec.SECP256R1()) for _ in range(2)]
    names = [x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]) for name in ("Test CA", "127.0.0.1")]
    now = datetime.now(UTC)
    for index, file in enumerate(("ca.pem", "relay.pem")):
        builder = (
            x509.CertificateBuilder()
            .subject_name(names[index])
            .issuer_name(names[0])
            .public_key(keys[index].public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=1))
            .add_extension(x509.BasicConstraints(ca=index == 0, path_length=None), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(keys[index].public_key()), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(keys[0].public_key()), critical=False)
            .add_extension(x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))]), critical=False)
        )
        if index == 0:
            usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
            builder = builder.add_extension(usage, critical=True)
        (folder / file).write_bytes(builder.sign(keys[0], hashes.SHA256()).public_bytes(Encoding.PEM))
    key = keys[1].private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "relay.key").write_bytes(key)


class Site:
    """A relay, and nginx before it, at `address`."""

    def __init__(self, tmp_path: Path, stack: ExitStack) -> None:
        self.folder = tmp_path / "nginx"
        self.folder.mkdir()
        certified(self.folder)
        trust = ("--trust-proxy", "127.0.0.1", "--log-addresses")
        self.relay = stack.enter_context(
            Running(tmp_path / "relay", "relay", "--bind", "127.0.0.1", "--port", 0, *trust)
        )
        behind = self.relay.wait_for(r"open on port (\d+)")[1]
        (location,) = re.findall(r"```nginx\n(.+?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
        self.port = free_port()
        configuration = CONFIGURATION.format(
            folder=self.folder, port=self.port, location=location.replace("48127", behind)
        )
        (self.folder / "nginx.conf").write_text(configuration)
        nginx = subprocess.Popen([needs.program("nginx"), "-c", str(self.folder / "nginx.conf")])
        stack.callback(nginx.wait)
        stack.callback(nginx.kill)
        until = time.monotonic() + PATIENCE
        while not self._listens():
            assert nginx.poll() is None
            assert time.monotonic() < until
            time.sleep(0.02)
        self.address = f"wss://127.0.0.1:{self.port}"
        self.trust = {"SSL_CERT_FILE": str(self.folder / "ca.pem")}

    def _listens(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port)).close()
        except ConnectionRefusedError:
            return False
        return True

    @property
    def logs(self) -> str:
        """Everything that nginx and the relay have written down."""
        return self.relay.output + "".join(path.read_text() for path in self.folder.glob("*.log"))


def free_port() -> int:
    with socket.socket() as placeholder:
        placeholder.bind(("127.0.0.1", 0))
        return int(placeholder.getsockname()[1])


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    if not shutil.which("nginx"):
        needs.missing("nginx is not installed")
    with ExitStack() as stack:
        yield Site(tmp_path, stack)


def opened(host: Running) -> str:
    line = host.wait_for(r"wss://\S+/(?:[0-9A-Z]{5}-){12}[0-9A-Z]{5}")[0]
    host.wait_for("Waiting for a guest")
    return line


HOST: Final = ("host", "--bind", "127.0.0.1", "--port", 0, "--name", "Hanna", "--relay")


@pytest.mark.thorough
@pytest.mark.parametrize("pause", [0.0, pytest.param(PAUSE, marks=[pytest.mark.thorough, pytest.mark.timeout(400)])])
def test_a_game_by_wss_leaves_no_trace_of_its_secrets(site: Site, tmp_path: Path, pause: float) -> None:
    """Not in the logs of the web server or the relay, and not in what the players write for others."""
    here, there = tmp_path / "here", tmp_path / "there"
    with Running(here, *HOST, site.address, **site.trust) as host:
        line = opened(host)
        with Running(there, "join", *RANDOM, **site.trust, SHANGHAIEN_INVITATION=line) as guest:
            take_guest(host)
            time.sleep(pause)
            assert "lost" not in host.output + guest.output, "pings keep the connection"
            arguments = "".join(Path(f"/proc/{each.process.pid}/cmdline").read_text() for each in (host, guest))
            host.stop()
            with Running(here, "resume", *RANDOM, **site.trust) as again:
                assert again.exit_code() == guest.exit_code() == 0, again.output + guest.output
    check_finished(here, there)
    invitation = read_invited(line).invitation
    groups = line.rpartition("/")[2].split("-")
    # two groups together: five digits stand somewhere in the hexadecimal text by chance
    secrets = {"-".join(groups[at : at + 2]) for at in range(6)}
    secrets |= {invitation.secret.hex(), invitation.room.hex(), invitation.channel_key.hex()}
    written = site.logs + arguments + guest.output
    written += "".join(log.read_bytes().hex() for home in (here, there) for log in logs(home))
    name = logs(there)[0].name[:8]
    for command in (["verify", "--json", name], ["export", name], ["replay", "--json", name], ["games"], ["players"]):
        written += shanghaien(there, *command).stdout
    assert "GET /1 HTTP/1.1" in written
    assert {secret for secret in secrets if secret in written} == set()
    kept = logs(there)[0].with_suffix(SIDECAR_SUFFIX).read_text()
    assert invitation.room.hex() in kept, "the same search finds it where it must be"
    assert invitation.secret.hex() not in kept


def test_a_certificate_that_nobody_vouches_for(site: Site, tmp_path: Path) -> None:
    with Running(tmp_path / "here", *HOST, site.address) as host:
        assert host.exit_code() == 4
        said = " ".join(host.output.split())
    assert "does not prove that it has this name" in said
    assert re.search("certificate", said)


def test_a_web_server_that_has_no_relay_there(site: Site, tmp_path: Path) -> None:
    site.relay.stop()
    with Running(tmp_path / "here", *HOST, site.address, **site.trust) as host:
        assert host.exit_code() == 4
        assert "it is not a relay of this game" in " ".join(host.output.split())


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="needs several addresses of this machine")
def test_the_relay_believes_what_the_proxy_adds_and_not_what_a_client_claims(site: Site) -> None:
    room = bytes(range(65, 81))  # letters, which a log would show as they are
    trusting = ssl.create_default_context(cafile=site.folder / "ca.pem")
    uri, claim = f"{site.address}/1", {"X-Forwarded-For": "198.51.100.1"}
    there = socket.create_connection(("127.0.0.1", site.port), source_address=("127.0.0.2", 0))
    with (
        connect(uri, proxy=None, ssl=trusting) as host,
        connect(uri, proxy=None, ssl=trusting, additional_headers=claim, sock=there) as guest,
    ):
        host.send(b"\0" + room)
        assert host.ping().wait(PATIENCE)
        guest.send(b"\1" + room)
        assert host.recv(PATIENCE) == guest.recv(PATIENCE) == b"\1"
        site.relay.wait_for(r" 127\.0\.0\.2: connected")
        for source, target in ((host, guest), (guest, host)):
            for message in (b"", bytes(16_384), b"last"):
                source.send(message)
                assert target.recv(PATIENCE) == message
    site.relay.wait_for(r" 127\.0\.0\.2: disconnected")
    assert "198.51.100.1" not in site.relay.output
    assert site.logs.count("GET /1 HTTP/1.1") == 2
    assert room.decode() not in site.logs
    assert room.hex() not in site.logs
