"""The vendors' own SDKs against us: what they sign we accept, what we sign they accept, with one active secret and
with two."""

import json
import secrets
import time
import urllib.request
import uuid
from urllib.error import HTTPError

import pytest
from acuse import Acuse, Endpoint
from sdks import ALL

#: As each provider shows them.
SECRETS = {
    "stripe": lambda: f"whsec_{secrets.token_hex(16)}",
    "paddle": lambda: f"pdl_ntfset_01hsdn8d43dt7mezr1ef2jtbaw_{secrets.token_hex(16)}",
    "standard_webhooks": lambda: f"whsec_{secrets.token_urlsafe(24).replace('-', 'a').replace('_', 'b')}",
}


def body_of(format: str, id: str) -> bytes:
    now = int(time.time())
    utc = time.strftime("%Y-%m-%dT%H:%M:%S.123456Z", time.gmtime(now))
    return json.dumps({
        "stripe": {"id": id, "object": "event", "api_version": "2026-10-28.acacia", "created": now, "livemode": False,
                   "type": "payment_intent.succeeded", "data": {"object": {"id": "pi_1", "object": "payment_intent"}}},
        "paddle": {"event_id": id, "event_type": "transaction.completed", "occurred_at": utc,
                   "notification_id": f"ntf_{id}", "data": {"id": "txn_1", "status": "completed", "note": "Zürich 😀"}},
        "standard_webhooks": {"type": "invoice.paid", "timestamp": utc, "data": {"id": "inv_1", "note": "Zürich 😀"}},
    }[format], ensure_ascii=False).encode()


class Source:
    """A source of the SDK's provider."""

    def __init__(self, acuse: Acuse, format: str):
        self.acuse, self.slug, self.secret = acuse, f"sdk-{uuid.uuid4().hex[:12]}", SECRETS[format]()
        made = acuse.call("POST", "/sources", {"slug": self.slug, "provider": format, "mode": "test",
                                               "secret": self.secret, "tolerance_s": 300})
        self.url = made["receive_url"]

    def rotate(self, secret: str) -> None:
        self.acuse.call("POST", f"/sources/{self.slug}/secrets", {"secret": secret, "overlap_s": 3600})

    def post(self, headers: dict, body: bytes) -> dict:
        request = urllib.request.Request(self.url, body, headers | {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return json.load(answer)
        except HTTPError as error:
            return json.load(error)


@pytest.mark.parametrize("name", ALL)
def test_what_the_sdk_signs_is_accepted(acuse: Acuse, name: str) -> None:
    sdk = ALL[name]
    source = Source(acuse, sdk.format)
    new = SECRETS[sdk.format]()

    def post(secret: str, change: bytes = b"") -> tuple[str, str]:
        id = f"evt_{uuid.uuid4().hex}"
        body = body_of(sdk.format, id)
        told = source.post(sdk.sign(secret, id, int(time.time()), body), body + change)
        return told.get("event_id", "") == id and told["status"], told.get("reason")

    assert post(source.secret) == ("stored", None)
    assert post(source.secret, b"\n") == (False, "signature_mismatch")
    assert post(new) == (False, "signature_mismatch")
    source.rotate(new)
    assert [post(source.secret), post(new)] == [("stored", None)] * 2


def deliver(acuse: Acuse, endpoint: Endpoint, source: Source, sdk) -> tuple[dict, bytes]:
    id = f"evt_{uuid.uuid4().hex}"
    body = body_of(sdk.format, id)
    assert source.post(sdk.sign(source.secret, id, int(time.time()), body), body)["status"] == "stored"
    name = "webhook-id" if sdk.format == "standard_webhooks" else "acuse-event-id"
    headers, delivered = endpoint.next(lambda headers, _: headers.get(name) == id)
    assert delivered == body
    return headers, delivered


def destination(acuse: Acuse, endpoint: Endpoint, source: Source, sdk, **settings: str) -> tuple[str, str]:
    slug = f"sdk-{uuid.uuid4().hex[:12]}"
    body = {"slug": slug, "url": endpoint.url, "format": sdk.format, "sources": [source.slug]} | settings
    return slug, acuse.call("POST", "/destinations", body)["secret"]


@pytest.mark.parametrize("name", ALL)
def test_the_sdk_accepts_what_we_sign(acuse: Acuse, endpoint: Endpoint, name: str) -> None:
    sdk = ALL[name]
    source = Source(acuse, sdk.format)
    slug, old = destination(acuse, endpoint, source, sdk)
    headers, body = deliver(acuse, endpoint, source, sdk)
    assert sdk.accepts(old, headers, body)
    assert not sdk.accepts(old, headers, body.replace(b"paid", b"void") + b" ")
    assert not sdk.accepts(SECRETS["standard_webhooks"](), headers, body)

    new = acuse.call("POST", f"/destinations/{slug}/secrets", {"overlap_s": 3600})["secret"]
    headers, body = deliver(acuse, endpoint, source, sdk)
    # Paddle's SDK for Node reads the last signature only: the next test.
    readable = [old] if name == "@paddle/paddle-node-sdk" else [old, new]
    assert [sdk.accepts(secret, headers, body) for secret in readable] == [True] * len(readable), headers


def test_the_order_of_signatures_suits_a_reader_of_the_last_one(acuse: Acuse, endpoint: Endpoint) -> None:
    sdk = ALL["@paddle/paddle-node-sdk"]
    source = Source(acuse, sdk.format)
    slug, old = destination(acuse, endpoint, source, sdk)
    new = acuse.call("POST", f"/destinations/{slug}/secrets", {"overlap_s": 3600})["secret"]

    def accepted() -> list[bool]:
        headers, body = deliver(acuse, endpoint, source, sdk)
        assert headers["paddle-signature"].count("h1=") == 2
        return [sdk.accepts(secret, headers, body) for secret in (old, new)]

    # While the merchant still has the old secret, and once the new one is installed.
    assert accepted() == [True, False]
    acuse.call("PATCH", f"/destinations/{slug}", {"signature_order": "oldest_first"})
    assert accepted() == [False, True]


def test_svix_senders_that_take_the_text_as_the_key(acuse: Acuse) -> None:
    sdk = ALL["standardwebhooks"]
    source = Source(acuse, sdk.format)
    acuse.call("PATCH", f"/sources/{source.slug}", {"standard_webhooks": {"key": "raw"}})
    id, body = "msg_raw", body_of(sdk.format, "x")
    headers = sdk.sign(source.secret.encode(), id, int(time.time()), body)
    assert source.post(headers, body) == {"status": "stored", "event_id": id}
