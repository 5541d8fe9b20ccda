"""Ten rotations of a source and of a destination under steady traffic. The provider signs with one secret and the
merchant verifies with one, by the vendor's SDK; each changes over at a random moment of the window. The clock is the
real one, so the windows are short."""

import hashlib
import hmac
import json
import random
import threading
import time
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError

import paymos
from acuse import Acuse, wait_for

ROUNDS = 10
OVERLAP = 3
# What is on its way when a window ends was signed before.
MARGIN = 1.0


class Merchant:
    """Takes a delivery when the SDK finds it good by the one secret that it has."""

    def __init__(self) -> None:
        self.secret, self.taken, self.refused = "", set(), []
        merchant = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                header, event = self.headers["X-Webhook-Signature"], json.loads(body)
                if event["event_type"] != "acuse.test":
                    if paymos.WebhookVerifier(merchant.secret).verify(header, body):
                        merchant.taken.add(event["event_id"])
                        self.answer(200)
                        return
                    merchant.refused.append(header)
                self.answer(401)

            def answer(self, status: int) -> None:
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class Provider:
    """Sends webhooks at a steady pace, each signed with the secret that it has then."""

    def __init__(self, url: str, secret: str) -> None:
        self.url, self.secret, self.sent, self.rejected = url, secret, [], []
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        while not self.ended.wait(0.05):
            self.send()

    def send(self) -> None:
        event_id = f"evt_{uuid.uuid4().hex}"
        event = {"event_id": event_id, "event_type": "invoice.paid", "version": 1, "occurred_at": int(time.time()),
                 "data": {"invoice_id": f"inv_{event_id[4:]}", "status": "paid"}}
        body = json.dumps(event).encode()
        headers = {"X-Webhook-Signature": sign(self.secret, body), "Content-Type": "application/json"}
        request = urllib.request.Request(self.url, body, headers)
        try:
            with urllib.request.urlopen(request, timeout=10):
                self.sent.append(event_id)
        except HTTPError as error:
            self.rejected.append(f"{error.code} {error.read().decode()}")

    def stop(self) -> None:
        self.ended.set()
        self.thread.join(20)


def sign(secret: str, body: bytes) -> str:
    now = int(time.time())
    return f"t={now},v1={hmac.new(secret.encode(), f'{now}.'.encode() + body, hashlib.sha256).hexdigest()}"


def test_ten_rotations_under_traffic_reject_and_refuse_nothing(acuse: Acuse) -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    secret = f"whsec_{uuid.uuid4().hex}"
    acuse.call("POST", "/sources", {"slug": "soak", "provider": "paymos", "mode": "test", "secret": secret,
                                    "tolerance_s": 300})
    merchant = Merchant()
    merchant.secret = acuse.call("POST", "/destinations", {"slug": "soak", "url": merchant.url, "format": "paymos",
                                                           "sources": ["soak"]})["secret"]
    provider = Provider(f"{acuse.base}/webhooks/soak", secret)
    for _ in range(ROUNDS):
        secret = f"whsec_{uuid.uuid4().hex}"
        acuse.call("POST", "/sources/soak/secrets", {"secret": secret, "overlap_s": OVERLAP})
        new = acuse.call("POST", "/destinations/soak/secrets", {"overlap_s": OVERLAP})["secret"]
        begun = time.monotonic()
        window = OVERLAP - MARGIN
        changes = [(chance.uniform(0, window), "provider"), (chance.uniform(0, window), "merchant")]
        for at, who in sorted(changes):
            time.sleep(max(0.0, begun + at - time.monotonic()))
            if who == "provider":
                provider.secret = secret
            else:
                merchant.secret = new
        time.sleep(max(0.0, begun + OVERLAP + 0.2 - time.monotonic()))
        active = acuse.call("GET", "/sources/soak/secrets")["secrets"]
        assert len(active) == 1, "the overlap is over, and nothing had to run for it"
    provider.stop()
    assert provider.rejected == [], f"seed {seed}"
    wait_for(lambda: merchant.taken >= set(provider.sent), 20)
    assert merchant.refused == [], f"seed {seed}"
    assert len(provider.sent) > 100

    def left() -> list:
        return acuse.call("GET", "/deliveries?destination=soak&state=pending,failed,held,cancelled")["items"]

    wait_for(lambda: left() == [], 10)
    merchant.server.shutdown()
