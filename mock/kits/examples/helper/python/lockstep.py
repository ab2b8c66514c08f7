"""Lockstep for tests in Python: the standard library only. Copy this file next to your tests.

LOCKSTEP_BASE_URL is the address of a mock; `lockstep env` and `lockstep client` set it. LOCKSTEP_ADMIN_TOKEN is
the token of its control API, if it has one.
"""

import json
import os
import threading
import time
import urllib.error
import urllib.request


def admin(method, path, body=None):
    """Calls the control API; `path` is taken from /__admin/."""
    base = os.environ.get("LOCKSTEP_BASE_URL")
    if base is None:
        raise RuntimeError("LOCKSTEP_BASE_URL is not set: start lockstep mock, see lockstep env")
    url = f"{base}/__admin/{path}"
    headers = {"Content-Type": "application/json"}
    headers["Lockstep-Admin-Token"] = os.environ.get("LOCKSTEP_ADMIN_TOKEN", "")
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read() or "{}")
    except urllib.error.HTTPError as refused:
        with refused:
            raise RuntimeError(f"{method} {url}: {refused.read().decode()}") from None


class World:
    """One isolated tenant. `with World() as world:` drops it at the end."""

    def __init__(self, told=None, **request):
        told = admin("POST", "worlds", request) if told is None else told
        self.id, self.base_url = told["id"], told["baseUrl"]
        self.credentials = told["credentials"]

    def __enter__(self):
        return self

    def __exit__(self, _type, error, _trace):
        # A failed test tells what the world refused, and where a fault struck (from Python 3.11 on).
        if hasattr(error, "add_note"):
            for one in self.requests():
                reason = (one["fault"] or {}).get("text") or (one["refusal"] or {}).get("message")
                if reason:
                    error.add_note(f"{one['method']} {one['path']} -> {one['status']}: {reason}")
        self.call("DELETE", "")

    def call(self, method, path, body=None):
        """Calls the control API of this world, such as call("GET", "/diff")."""
        return admin(method, f"worlds/{self.id}{path}", body)

    def fault(self, **order):
        return self.call("POST", "/faults", order)

    def assume(self, choices):
        return self.call("PUT", "/assumptions", choices)

    def advance(self, **by):
        return self.call("POST", "/clock/advance", by)

    def emit(self, **event):
        return self.call("POST", "/events", event)

    def requests(self):
        return self.call("GET", "/requests")["requests"]

    def fork(self):
        return World(self.call("POST", "/fork", {}))


def findings(world, test, kinds=("sweep", "loss", "mutant"), time_limit=10):
    """Runs `test(world)` against every service that this could be. Returns the client's flaws, a line each.

    Each run gets a fork of the world. The test fails by raising, and must pass if nothing is varied.
    """
    with world.fork() as plain:
        test(plain)
        asked = "".join(f"&kind={kind}" for kind in kinds)
        variations = world.call("GET", f"/variations?plain={plain.id}{asked}")["variations"]

        def finding(variation):
            made = world.call("POST", "/variations", {"plain": plain.id, "id": variation["id"]})
            with World(made) as varied:
                ended = _end_of(test, varied, time_limit)
                return varied.call("POST", "/outcome", ended)["finding"]

        # A red run is played again: one that is red once only is flaky.
        return [found for one in variations if finding(one) and (found := finding(one))]


def _end_of(test, world, time_limit):
    ended = {"end": "hung"}

    def run():
        try:
            test(world)
            ended["end"] = "passed"
        except BaseException:
            ended["end"] = "failed"

    start = time.monotonic()
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(time_limit)
    return {**ended, "durationMs": round(1000 * (time.monotonic() - start))}
