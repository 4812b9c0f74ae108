"""`shanghaien relay` behind nginx, configured as docs/relay.md says, with TLS."""

import re
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from websockets.sync.client import connect

from tests import needs
from tests.cli.program import PATIENCE, PROGRAM, environment

pytestmark = [
    pytest.mark.enable_socket,
    pytest.mark.sockets,
    pytest.mark.skipif(sys.platform != "linux", reason="needs many addresses of this machine"),
]

PAGE = Path(__file__).parents[2] / "docs" / "relay.md"
ROOM = bytes(range(65, 81))  # letters, which a log would show as they are
CONFIGURATION = """
daemon off;
master_process off;
pid {folder}/pid;
error_log stderr;
events {{ worker_connections 64; }}
http {{
    access_log {folder}/access.log;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port} ssl;
        ssl_certificate {folder}/certificate.pem;
        ssl_certificate_key {folder}/key.pem;
        {location}
    }}
}}
"""


@contextmanager
def nginx(folder: Path, relay: int) -> Iterator[int]:
    """Run nginx before the relay at that port. Gives its own port."""
    (location,) = re.findall(r"```nginx\n(.+?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    with socket.create_server(("127.0.0.1", 0)) as placeholder:
        port = placeholder.getsockname()[1]
    keys = ["-newkey", "rsa:2048", "-nodes", "-keyout", f"{folder}/key.pem", "-out", f"{folder}/certificate.pem"]
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2"]
    subprocess.run([needs.program("openssl"), "req", "-x509", *keys, *names], check=True, capture_output=True)
    configuration = CONFIGURATION.format(folder=folder, port=port, location=location.replace("48127", str(relay)))
    (folder / "nginx.conf").write_text(configuration)
    command = [needs.program("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf")]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            until = time.monotonic() + PATIENCE
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except ConnectionRefusedError:
                    assert process.poll() is None
                    assert time.monotonic() < until
                    time.sleep(0.05)
            yield port
        finally:
            process.kill()


def test_nginx_as_the_page_configures_it(tmp_path: Path) -> None:
    options = ["--port", "0", "--bind", "127.0.0.1", "--trust-proxy", "127.0.0.1", "--log-addresses"]
    with subprocess.Popen(
        [*PROGRAM, "relay", *options], env=environment(tmp_path / "home"), stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        try:
            found = re.search(r"port (\d+)", process.stdout.readline())
            assert found
            process.stdout.readline()
            with nginx(tmp_path, int(found[1])) as port:
                trusting = ssl.create_default_context(cafile=tmp_path / "certificate.pem")
                uri = f"wss://localhost:{port}/1"
                claim = {"X-Forwarded-For": "198.51.100.1"}
                with (
                    connect(uri, proxy=None, ssl=trusting) as host,
                    connect(
                        uri,
                        proxy=None,
                        ssl=trusting,
                        additional_headers=claim,
                        sock=socket.create_connection(("127.0.0.1", port), source_address=("127.0.0.2", 0)),
                    ) as guest,
                ):
                    host.send(b"\0" + ROOM)
                    assert host.ping().wait(PATIENCE)
                    guest.send(b"\1" + ROOM)
                    assert host.recv(PATIENCE) == guest.recv(PATIENCE) == b"\1"
                    assert process.stdout.readline().endswith(" 127.0.0.2: connected\n")
                    for source, target in ((host, guest), (guest, host)):
                        for message in (b"", bytes(16_384), b"last"):
                            source.send(message)
                            assert target.recv(PATIENCE) == message
                assert process.stdout.readline().endswith(" 127.0.0.2: disconnected\n")
        finally:
            process.kill()
    seen = (tmp_path / "access.log").read_text()
    assert seen.count("GET /1 HTTP/1.1") == 2
    assert ROOM.decode() not in seen
    assert ROOM.hex() not in seen
