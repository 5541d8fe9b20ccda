"""What a newcomer sees within the first minute, and that nothing of it is there without the flag."""

import json
import os
import sqlite3
import subprocess
import urllib.request
from contextlib import closing
from pathlib import Path
from urllib.error import HTTPError

from acuse import BINARY, Acuse, wait_for


def test_the_first_minute_shows_some_of_everything(acuse: Acuse) -> None:
    def run() -> dict | None:
        runs = acuse.call("GET", "/reconciliations")["items"]
        return next((one for one in runs if one["state"] != "running"), None)

    done = wait_for(run, 60)
    assert [done["state"], done["actor"]] == ["done", "sandbox"]
    assert all(done["differences"][kind] >= 1 for kind in ("missing", "status", "undelivered")), done
    failed = acuse.call("GET", "/deliveries?state=failed&limit=200")["items"]
    assert failed and all(one["destination"] == "crm" for one in failed)
    delivered = acuse.call("GET", "/deliveries?state=delivered&limit=200")["items"]
    assert {one["destination"] for one in delivered} == {"shop", "crm"}
    assert any(one["arrivals"] > 1 for one in acuse.call("GET", "/events?limit=200")["items"])
    with urllib.request.urlopen(f"{acuse.base}/sandbox/shop/orders", timeout=10) as answer:
        orders = json.load(answer)
    assert orders["totals"]["orders"] == orders["totals"]["booked"] > 20
    assert all(order["booked"] == 1 for order in orders["orders"])


def test_nothing_of_it_is_there_without_the_flag(tmp_path: Path) -> None:
    log = tmp_path / "log"
    environment = os.environ | {
        "ACUSE_LISTEN": "127.0.0.1:0",
        "ACUSE_DATABASE_URL": f"sqlite://{tmp_path}/acuse.db",
        "ACUSE_KEY_FILE": f"{tmp_path}/acuse.key",
    }
    with log.open("w") as out:
        process = subprocess.Popen([BINARY, "serve"], env=environment, stdout=out, stderr=out)
    try:
        base = wait_for(lambda: log.read_text().partition("listening on ")[2].split(" ")[0], 30, log.read_text)
        for path in ("/sandbox/paymos/v1/time", "/sandbox/shop/orders", "/sandbox/provider"):
            assert status(base + path) not in (200, 401, 405), path
        with closing(sqlite3.connect(tmp_path / "acuse.db")) as db:
            tables = [name for (name,) in db.execute("select name from sqlite_master where name like 'sandbox%'")]
        assert tables == []
    finally:
        process.terminate()
        process.wait(20)


def status(url: str) -> int:
    class NoRedirect(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_: object) -> None:
            return None

    try:
        with urllib.request.build_opener(NoRedirect).open(url, timeout=10) as answer:
            return answer.status
    except HTTPError as error:
        return error.code
