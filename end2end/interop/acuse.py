"""The real binary with its sandbox, and a merchant's endpoint, for tests in Python."""

from __future__ import annotations

import json
import os
import re
import subprocess
import threading
import time
import urllib.request
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Empty, Queue
from urllib.error import HTTPError, URLError

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("ACUSE_BIN", ROOT / "target/release/acuse"))
CREDENTIALS = {
    "base": r"Dashboard +(\S+)",
    "token": r"API token +(\S+)",
    "key": r"API key +(\S+)",
    "secret": r"API secret +(\S+)",
}


class Acuse:
    """One process on a free port, with its data in a folder of its own."""

    def __init__(self, folder: Path):
        self.log = folder / "log"
        environment = os.environ | {
            "ACUSE_LISTEN": "127.0.0.1:0",
            "ACUSE_DATABASE_URL": f"sqlite://{folder}/acuse.db",
            "ACUSE_KEY_FILE": f"{folder}/acuse.key",
        }
        environment.pop("ACUSE_PUBLIC_URL", None)
        self.printed = folder / "printed"
        self.process = subprocess.Popen(
            [BINARY, "serve", "--sandbox"],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=self.printed.open("w"),
            stderr=self.log.open("w"),
        )
        text = wait_for(self._credentials, 30, lambda: self.log.read_text()[-2000:])
        found = {name: re.search(pattern, text)[1] for name, pattern in CREDENTIALS.items()}
        self.base, self.token = found["base"], found["token"]
        self.api_key, self.api_secret = found["key"], found["secret"]

    def _credentials(self) -> str | None:
        if self.process.poll() is not None:
            raise AssertionError(f"acuse ended with {self.process.returncode}: {self.log.read_text()[-2000:]}")
        text = self.printed.read_text()
        return text if re.search(CREDENTIALS["secret"] + r"\n", text) else None

    def stop(self) -> None:
        self.process.terminate()
        assert self.process.wait(20) == 0
        assert "panicked at" not in self.log.read_text()

    def call(self, method: str, path: str, body: object = None) -> dict:
        """A call of our REST API."""
        return self._send(method, f"/api/v1{path}", body, {"Authorization": f"Bearer {self.token}"})

    def sandbox(self, path: str, body: object) -> dict:
        """Tells the simulated provider or shop something."""
        return self._send("POST", f"/sandbox/{path}", body, {})

    def _send(self, method: str, path: str, body: object, headers: dict) -> dict:
        data = None if body is None else json.dumps(body).encode()
        headers = headers | {"Content-Type": "application/json"}
        request = urllib.request.Request(self.base + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                text = answer.read()
        except HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.code} {error.read().decode()}") from error
        return json.loads(text) if text else {}


class Endpoint:
    """Takes deliveries with 200 and keeps them: headers and the exact bytes."""

    def __init__(self) -> None:
        taken: Queue[tuple[dict, bytes]] = Queue()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                taken.put(({name.lower(): value for name, value in self.headers.items()}, body))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.taken = taken
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/webhooks"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def next(self, wanted: Callable[[dict, bytes], bool], seconds: float = 20) -> tuple[dict, bytes]:
        """The next delivery that is wanted; the others are thrown away."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                headers, body = self.taken.get(timeout=left)
            except Empty:
                break
            if wanted(headers, body):
                return headers, body
        raise AssertionError("no such delivery came")

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def wait_for(look: Callable[[], object], seconds: float, why: Callable[[], str] = lambda: "") -> object:
    """What `look` gives as soon as it gives something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if found := look():
                return found
        except URLError:
            pass
        time.sleep(0.1)
    raise AssertionError(f"nothing came in {seconds} s. {why()}")
