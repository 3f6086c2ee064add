"""Who the server of the dashboard answers, what its pages may load, and whom it never asks."""

import http.client
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browsing import ALLOWED, FOREIGN, at_step, files_served, serving, settle, visit
from tests.kit.dashboard_logs import REVOKE
from tricklog.dashboard.address import urls

LIMIT = 300
"""Seconds for an answer, which comes at once where a machine is not busy."""
STREAM = "/_stcore/stream"
TRIED = "tried.txt"
"""Where a process that ``ALONE`` ended says whom it tried to reach."""

ALONE = '''\
"""Ends the process when it looks for, or connects to, anything but this machine."""

import os
import sys

HERE = {None, "", "localhost", "127.0.0.1", "::1", b"localhost"}
EVENTS = {
    "socket.connect": lambda _, address: address[0],
    "socket.sendto": lambda _, address: address[0],
    "socket.sendmsg": lambda _, address: address and address[0],
    "socket.getaddrinfo": lambda host, *_: host,
    "socket.gethostbyname": lambda host: host,
    "socket.gethostbyaddr": lambda host: host,
}


def watch(event, arguments):
    if event not in EVENTS or any(isinstance(each, str) and each[:1] == "/" for each in arguments):
        return
    whom = EVENTS[event](*arguments)
    if whom not in HERE:
        with open(os.environ["TRIED"], "a") as file:
            print(event, whom, file=file)
        os._exit(97)


sys.addaudithook(watch)
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("guard")


@pytest.fixture(scope="module")
def alone(folder: Path, repository: Path) -> dict[str, str]:
    """Variables by which a Python ends as soon as it tries to reach another machine."""
    (folder / "alone").mkdir()
    (folder / "alone" / "sitecustomize.py").write_text(ALONE)
    path = f"{folder / 'alone'}:{repository}"
    return {"PYTHONPATH": path, "TRIED": str(folder / TRIED)}


@pytest.fixture(scope="module")
def server(
    small_warehouse: Path, folder: Path, repository: Path, alone: dict[str, str]
) -> Iterator[str]:
    db = shutil.copytree(small_warehouse, folder / "db")
    with serving(db, folder, repository, "--host-name", ALLOWED, **alone) as address:
        yield address


@pytest.fixture(scope="module")
def port(server: str) -> int:
    return urlsplit(server).port or 0


class Answer:
    """What came back: the status, the headers and the beginning of the text."""

    def __init__(self, sock: socket.socket, method: str) -> None:
        self._answer = http.client.HTTPResponse(sock, method=method)
        self._answer.begin()
        self.status = self._answer.status
        self.headers = self._answer.headers
        self.text = "" if self.status == 101 else self._answer.read(2000).decode()


def ask(port: int, *headers: str, path: str = "/", method: str = "GET") -> Answer:
    """Send a request with these headers and no others; ``PORT`` in them is that of the server."""
    lines = [f"{method} {path} HTTP/1.1", *headers, "Connection: close", "", ""]
    with socket.create_connection(("127.0.0.1", port), timeout=LIMIT) as sock:
        sock.sendall("\r\n".join(lines).replace("PORT", str(port)).encode())
        return Answer(sock, method)


def upgrade(port: int, *headers: str, then: bytes = b"") -> Answer:
    """Ask for a websocket, and send something over it until it is closed."""
    lines = [f"GET {STREAM} HTTP/1.1", *headers, "Connection: Upgrade", "Upgrade: websocket"]
    lines += ["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]
    lines += ["Sec-WebSocket-Protocol: streamlit", "", ""]
    with socket.create_connection(("127.0.0.1", port), timeout=LIMIT) as sock:
        sock.sendall("\r\n".join(lines).replace("PORT", str(port)).encode())
        answer = Answer(sock, "GET")
        if then:
            sock.sendall(then)
            while sock.recv(100):
                continue
        return answer


def is_guarded(answer: Answer) -> bool:
    """Whether the answer forbids other pages to embed it, and its own to load from elsewhere."""
    policy = answer.headers["Content-Security-Policy"]
    return (
        answer.headers["X-Frame-Options"] == "DENY"
        and "frame-ancestors 'none'" in policy
        and "default-src 'none'" in policy
        and "http" not in policy
    )


# --- Names
OWN_NAMES = (
    *("localhost:PORT", "localhost", "LocalHost:PORT", "localhost.:PORT"),
    *("127.0.0.1:PORT", "[::1]:PORT", ALLOWED, f"{ALLOWED.upper()}.:9999"),
)
OTHER_NAMES = (
    *(f"{FOREIGN}:PORT", FOREIGN, f"localhost.{FOREIGN}:PORT", f"x.{ALLOWED}", f"x{ALLOWED}"),
    *(f"localhost@{FOREIGN}", "me@localhost:PORT", f"{FOREIGN}#localhost", "localhost/x"),
    *("0.0.0.0:PORT", "127.0.0.2:PORT", "[::2]:PORT", "[::1", "::1", "2130706433:PORT"),
    *("", "localhost:", "localhost:x", "localhost..", "localhost localhost"),
    *("localhost, localhost", "l\xf6calhost"),
)
METHODS = ("GET", "HEAD", "POST", "PUT", "OPTIONS")
PATHS = (
    *("/", "/import", "/_stcore/health", "/_stcore/host-config", "/_stcore/metrics"),
    *("/static/js/index.js", "/media/x", "/_stcore/upload_file/x/y", "/component/x/y"),
    *("/_stcore/bidi-components/x/y", "/_stcore/agent/openapi.json", "/app/static/x", STREAM),
)


def test_the_server_answers_under_its_own_names(port: int) -> None:
    for host in OWN_NAMES:
        answer = ask(port, f"Host: {host}")
        assert answer.status == 200, host
        assert "<title>Streamlit</title>" in answer.text, host
        assert is_guarded(answer), host
        for scheme in ("http", "https"):
            origin = f"Origin: {scheme}://{host}"
            assert upgrade(port, f"Host: {host}", origin).status == 101, origin


def test_no_other_name_is_answered(port: int) -> None:
    for host in OTHER_NAMES:
        answer = ask(port, f"Host: {host}")
        # What no header of this kind can be, the web server refuses before it is asked for a page.
        refused = (answer.status, answer.text[:15]) == (400, "Invalid HTTP re")
        assert answer.status == 421 or refused, host
        if answer.status == 421:
            assert "tricklog dashboard --host-name NAME" in answer.text, host
            assert is_guarded(answer), host
        answer = upgrade(port, f"Host: {host}", f"Origin: http://{host}")
        assert answer.status in {400, 403}, host


def test_a_foreign_name_or_page_gets_nothing_from_any_path(port: int) -> None:
    for path in PATHS:
        for method in METHODS:
            status = ask(port, f"Host: {FOREIGN}", path=path, method=method).status
            assert status == 421, f"{method} {path}"
            headers = ("Host: localhost:PORT", f"Origin: http://{FOREIGN}")
            status = ask(port, *headers, path=path, method=method).status
            assert status == 403, f"{method} {path}"


def test_one_name_has_to_be_given(port: int) -> None:
    assert ask(port).status in {400, 421}
    assert ask(port, "Host: localhost", f"Host: {FOREIGN}").status in {400, 421}
    assert ask(port, f"Host: {FOREIGN}", "Host: localhost").status in {400, 421}
    assert upgrade(port, "Origin: http://localhost").status in {400, 403}
    with socket.create_connection(("127.0.0.1", port), timeout=LIMIT) as sock:
        sock.sendall(b"GET / HTTP/1.0\r\n\r\n")
        assert Answer(sock, "GET").status == 421


# --- Pages of others
OTHER_ORIGINS = (
    *(f"http://{FOREIGN}", f"http://{FOREIGN}:PORT", "null", "", "file://", "localhost:PORT"),
    *("http://localhost", "http://localhost:1", "http://127.0.0.1:PORT", "http://[::1]:PORT"),
    *("http://localhost:PORT/", "http://me@localhost:PORT", "http://localhost:PORT\t,x"),
    *("http://LOCALHOST:PORT", f"http://{ALLOWED}", "ws://localhost:PORT"),
)


def test_no_other_page_is_answered(port: int) -> None:
    for origin in OTHER_ORIGINS:
        headers = ("Host: localhost:PORT", f"Origin: {origin}")
        answer = ask(port, *headers)
        assert answer.status == 403, origin
        assert "tricklog dashboard --host-name NAME" in answer.text, origin
        assert is_guarded(answer), origin
        refused = upgrade(port, *headers)
        assert (refused.status, refused.text) == (403, ""), origin


def test_a_refusal_leaves_no_line_in_the_terminal(port: int, folder: Path) -> None:
    log = folder / "server.log"
    assert upgrade(port, "Host: localhost:PORT", f"Origin: http://{FOREIGN}").status == 403
    assert upgrade(port, f"Host: {FOREIGN}", f"Origin: http://{FOREIGN}").status == 403
    # What it says of a connection it has said by the time that it answers the next one.
    assert upgrade(port, "Host: localhost:PORT", "Origin: http://localhost:PORT").status == 101
    assert "handshake" not in log.read_text()


def test_garbage_leaves_a_line_each_in_the_terminal(port: int, folder: Path) -> None:
    log = folder / "server.log"
    own = ("Host: localhost:PORT", "Origin: http://localhost:PORT")
    before = log.read_text()
    text, broken, binary = (
        (b"\x81\x85\0\0\0\0hello"),
        (b"\x81\x82\0\0\0\0\xff\xfe"),
        b"\x82\x84\0\0\0\0\xff\xff\xff\xff",
    )
    for sent in (text, broken, binary, b"\x8f\x80"):
        assert upgrade(port, *own, then=sent).status == 101
    chunked = b"GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
    for sent in (b"\x16\x03\x01\x02\0" * 40, b"GET / HTTP/9.9\r\n\r\n", chunked):
        with socket.create_connection(("127.0.0.1", port), timeout=LIMIT) as sock:
            sock.sendall(sent)
            sock.recv(100)
    assert upgrade(port, *own).status == 101
    said = log.read_text().removeprefix(before).splitlines()
    assert len(said) <= 6, said
    assert not any("Traceback" in line for line in said)


def test_a_websocket_needs_one_origin(port: int) -> None:
    own = "Origin: http://localhost:PORT"
    assert upgrade(port, "Host: localhost:PORT", own).status == 101
    assert upgrade(port, "Host: localhost:PORT").status == 403
    assert upgrade(port, "Host: localhost:PORT", own, own).status in {400, 403}
    assert ask(port, "Host: localhost:PORT", own, f"Origin: http://{FOREIGN}").status == 403


def test_a_file_is_taken_only_with_the_token_of_a_page(port: int) -> None:
    own = ("Host: localhost:PORT", "Origin: http://localhost:PORT")
    path = "/_stcore/upload_file/x/y"
    answer = ask(port, *own, "Content-Length: 0", path=path, method="PUT")
    assert (answer.status, "XSRF" in answer.text) == (403, True)


def test_no_other_machine_reaches_the_server(port: int) -> None:
    for other in other_addresses():
        with pytest.raises(OSError, match="refused"):
            socket.create_connection((other, port), timeout=LIMIT).close()


def other_addresses() -> list[str]:
    """The addresses of this machine that other machines can reach."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: the system only says from which address it would be.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ["127.0.0.2"]
        return ["127.0.0.2", str(probe.getsockname()[0])]


def test_no_file_of_this_machine_is_served(port: int) -> None:
    for path in (
        *("/static/../../main.py", "/static/%2e%2e/%2e%2e/main.py", "/..%2f..%2fmain.py"),
        *("/media/../../etc/passwd", "/component/../../etc/passwd", "//etc/passwd"),
        *(
            "/_stcore/bidi-components/tricklog.card_table/../../app/main.py",
            "/app/static/style.css",
        ),
        *("/main.py", "/style.css", "/.streamlit/config.toml", "/static//etc/passwd"),
    ):
        answer = ask(port, "Host: localhost:PORT", path=path)
        assert answer.status >= 400 or "<title>Streamlit</title>" in answer.text, path


# --- Nobody else is asked
def test_the_watch_ends_whoever_asks_another_machine(alone: dict[str, str], folder: Path) -> None:
    for call in (
        "socket.getaddrinfo('elsewhere.invalid', 80)",
        "socket.socket(type=socket.SOCK_DGRAM).connect(('192.0.2.1', 9))",
    ):
        tried = folder / "tried-on-purpose.txt"
        command = [sys.executable, "-c", f"import socket; {call}"]
        done = subprocess.run(command, env=alone | {"TRIED": str(tried)}, check=False)
        assert done.returncode == 97
        assert tried.read_text().startswith("socket.")


@pytest.mark.browser
def test_the_server_asks_no_other_machine(port: int, page: Page, folder: Path) -> None:
    for host, origin in (
        ("localhost:PORT", f"http://{FOREIGN}"),
        ("LOCALHOST:PORT", "http://localhost:PORT"),
        (ALLOWED.upper(), f"http://{ALLOWED}"),
        (FOREIGN, f"http://{FOREIGN}"),
        (ALLOWED, "http://192.0.2.1"),
        ("localhost:PORT", "null"),
    ):
        assert upgrade(port, f"Host: {host}", f"Origin: {origin}").status in {403, 421}
        assert ask(port, f"Host: {host}", f"Origin: {origin}").status in {403, 421}
    # A name that was allowed shows the pages, of which all are opened in the thorough tier.
    allowed = f"http://{ALLOWED}:{port}"
    asked: set[str] = set()
    page.on("request", lambda request: asked.add(request.url))
    page.goto(f"{allowed}/import")
    expect(page.get_by_role("heading", name="Import", exact=True)).to_be_visible()
    settle(page)
    assert asked
    assert all(each.startswith((allowed, "data:", "blob:")) for each in asked)
    # Whatever is asked for behind an answer is asked for before later ones.
    for _ in range(20):
        assert ask(port, "Host: localhost:PORT", path="/_stcore/health").status == 200
    assert not (folder / TRIED).exists()


# --- In a browser
@pytest.fixture(scope="module")
def elsewhere(folder: Path) -> Iterator[str]:
    """The address of a page of somebody else's, which a foreign name leads to as well."""
    (folder / "site").mkdir()
    (folder / "site" / "index.html").write_text("<!doctype html><title>evil</title>")
    with files_served(folder / "site") as port:
        yield f"http://{FOREIGN}:{port}"


CONNECT = """address => new Promise(done => {
    const socket = new WebSocket(address, ["streamlit"]);
    socket.onopen = () => done("open");
    socket.onerror = () => done("refused");
})"""
FETCH = """address => fetch(address).then(answer => answer.text(), error => "refused")"""
EMBED = """address => new Promise(done => {
    const frame = document.createElement("iframe");
    frame.onload = done;
    frame.src = address;
    document.body.append(frame);
})"""


@pytest.mark.browser
def test_a_foreign_name_for_this_machine_shows_no_page(page: Page, port: int) -> None:
    answer = page.goto(f"http://{FOREIGN}:{port}/import")
    assert answer is not None
    assert answer.status == 421
    expect(page.locator("body")).to_contain_text("tricklog dashboard --host-name NAME")
    assert page.evaluate(CONNECT, f"ws://{FOREIGN}:{port}{STREAM}") == "refused"
    assert "under the names it was given" in page.evaluate(FETCH, f"http://{FOREIGN}:{port}/import")


@pytest.mark.browser
def test_a_page_of_somebody_else_reaches_nothing(page: Page, elsewhere: str, port: int) -> None:
    other_port = urlsplit(elsewhere).port
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    for site in (elsewhere, f"http://localhost:{other_port}"):
        page.goto(site)
        for name in (FOREIGN, "localhost", "127.0.0.1"):
            assert page.evaluate(CONNECT, f"ws://{name}:{port}{STREAM}") == "refused"
            assert page.evaluate(FETCH, f"http://{name}:{port}/_stcore/health") == "refused"
        said.clear()
        page.evaluate(EMBED, f"http://localhost:{port}/")
        assert any("frame-ancestors" in each or "X-Frame-Options" in each for each in said)


@pytest.mark.browser
@pytest.mark.thorough("the walk of test_accessibility sees what the policy refuses on its pages")
def test_all_pages_work_in_policy(page: Page, server: str, folder: Path, tmp_path: Path) -> None:
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text))
    page.on("pageerror", lambda error: refused.append(f"Content Security Policy? {error}"))
    for screen in urls.MENU:
        visit(page, f"{server}/{screen.path}")
        expect(page.get_by_test_id("stException")).to_have_count(0)
        if screen.path == "bids":
            # Its charts are drawn some time after the page itself.
            chart = page.locator("[data-testid=stVegaLiteChart] :is(canvas, svg)").first
            expect(chart).to_be_visible()
    page.goto(f"{server}/replay?hand={REVOKE}&ply=3")
    at_step(page, 3)
    visit(page, f"{server}/hands")
    page.get_by_role("button", name="Saved views").click()
    expect(page.get_by_role("textbox", name="Name of the view")).to_be_visible()
    page.keyboard.press("Escape")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV").click()
    assert Path(download.value.path()).read_text("utf-8-sig").startswith("Hand,")
    log = tmp_path / "log.jsonl"
    log.write_text("oops\n")
    visit(page, f"{server}/import")
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(log)
    expect(page.get_by_role("button", name="Remove log")).to_be_visible()
    assert [each for each in refused if re.search("Content Security|violates", each)] == []
    assert not (folder / TRIED).exists()
