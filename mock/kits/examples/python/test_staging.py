"""Python, its standard library only: a world per test, through any mock that serves.

    lockstep mock --port 0 --ready-file ready.json &
    eval "$(lockstep env --ready-file ready.json --wait 10s)"
    python3 -m unittest -v test_staging.py
"""

import json
import os
import unittest
import urllib.error
import urllib.request

BASE_URL = os.environ["LOCKSTEP_BASE_URL"]


def call(method, path, key=None, body=None):
    """Status and JSON of an answer, whatever its status."""
    headers = {"Content-Type": "application/json"}
    if key is not None:
        headers["Authorization"] = f"Bearer {key}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(BASE_URL + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, json.load(refused)


def new_world():
    """The credentials of a world of one's own: they name it, through the one address."""
    status, world = call("POST", "/__admin/worlds", body={"fixture": "acme"})
    if status != 201:
        raise RuntimeError(f"no world: {status} {world}")
    return world["credentials"]


def enable(key, branch):
    path = "/build/api/v1/deployments/1/branches/staging-environment"
    return call("PUT", path, key, {"branchName": branch, "enabled": True})


def staging(key):
    """Ids of the staging environments that the client sees."""
    status, answer = call("GET", "/api/v1/deployments/1/environments?type=staging", key)
    if status != 200:
        raise RuntimeError(f"no environments: {status} {answer}")
    return [environment["id"] for environment in answer["data"]["environments"]]


class StagingTest(unittest.TestCase):
    def setUp(self):
        self.keys = new_world()

    def test_an_enabled_environment_is_listed(self):
        status, _ = enable(self.keys["admin"], "feature-orders")
        self.assertEqual(status, 200)
        self.assertEqual(staging(self.keys["admin"]), ["202", "203"])

    def test_a_member_may_not_add_recipients(self):
        path = "/api/v1/deployments/1/notifications/31/recipients"
        status, answer = call("POST", path, self.keys["member"], {"recipients": [{"userId": 2}]})
        self.assertEqual(status, 403)
        self.assertIn("error", answer)

    def test_another_world_does_not_see_it(self):
        other = new_world()
        enable(self.keys["admin"], "feature-orders")
        self.assertEqual(staging(other["admin"]), ["203"])


if __name__ == "__main__":
    unittest.main()
