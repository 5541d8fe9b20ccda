"""The vendors' SDKs behind one face: each signs as its provider does, and verifies as a merchant does."""

from __future__ import annotations

import base64
import json
import subprocess
from datetime import datetime, timezone
from pathlib import Path
from types import SimpleNamespace

import standardwebhooks
import stripe
from paddle_billing.Notifications import Secret, Verifier
from paddle_billing.Notifications.PaddleSignature import PaddleSignature


class StripePython:
    format = "stripe"

    def sign(self, secret: str, id: str, timestamp: int, body: bytes) -> dict:
        header = stripe.WebhookSignature.generate_signature_header(body.decode(), secret, timestamp)
        return {"Stripe-Signature": header}

    def accepts(self, secret: str, headers: dict, body: bytes) -> bool:
        try:
            stripe.Webhook.construct_event(body, headers["stripe-signature"], secret)
            return True
        except stripe.SignatureVerificationError:
            return False


class PaddlePython:
    format = "paddle"

    def sign(self, secret: str, id: str, timestamp: int, body: bytes) -> dict:
        mac = PaddleSignature.calculate_hmac(secret, f"{timestamp}:".encode() + body).hexdigest()
        return {"Paddle-Signature": f"ts={timestamp};h1={mac}"}

    def accepts(self, secret: str, headers: dict, body: bytes) -> bool:
        request = SimpleNamespace(headers={"Paddle-Signature": headers["paddle-signature"]}, body=body)
        return Verifier(60).verify(request, Secret(secret))


class StandardPython:
    format = "standard_webhooks"

    def sign(self, secret: str, id: str, timestamp: int, body: bytes) -> dict:
        at = datetime.fromtimestamp(timestamp, timezone.utc)
        signature = standardwebhooks.Webhook(secret).sign(id, at, body.decode())
        return {"webhook-id": id, "webhook-timestamp": str(timestamp), "webhook-signature": signature}

    def accepts(self, secret: str, headers: dict, body: bytes) -> bool:
        try:
            standardwebhooks.Webhook(secret).verify(body, headers)
            return True
        except standardwebhooks.WebhookVerificationError:
            return False


class Node:
    def __init__(self, name: str, format: str):
        self.name, self.format = name, format

    def sign(self, secret: str, id: str, timestamp: int, body: bytes) -> dict:
        ended = self._run("sign", secret=secret, id=id, timestamp=timestamp, body=body)
        assert ended.returncode == 0, ended.stderr
        return json.loads(ended.stdout)

    def accepts(self, secret: str, headers: dict, body: bytes) -> bool:
        return self._run("verify", secret=secret, headers=headers, body=body).stdout.strip() == "ok"

    def _run(self, what: str, body: bytes, **given: object) -> subprocess.CompletedProcess:
        text = json.dumps(given | {"body": base64.b64encode(body).decode()})
        command = ["node", Path(__file__).with_name("sdk.mjs"), what, self.name]
        return subprocess.run(command, input=text, capture_output=True, text=True, timeout=60, check=False)


ALL = {
    "stripe (PyPI)": StripePython(),
    "paddle-python-sdk": PaddlePython(),
    "standardwebhooks": StandardPython(),
    "stripe (npm)": Node("stripe", "stripe"),
    "@paddle/paddle-node-sdk": Node("paddle", "paddle"),
    "svix": Node("svix", "standard_webhooks"),
}
