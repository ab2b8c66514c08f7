"""A fault, the clock, an assumption, a world's end, and a test against every service that this could be.

    lockstep mock --port 0 --ready-file ready.json &
    eval "$(lockstep env --ready-file ready.json --wait 10s)"
    python3 -m unittest -v test_helper.py
"""

import json
import unittest
import urllib.error
import urllib.request

from lockstep import World, findings

FOLDER = "/api/v1/deployments/1/folders/13"
STAGING = "/build/api/v1/deployments/1/branches/staging-environment"


def send(world, method, path, body=None, credential="admin"):
    """Status and JSON; your client in the place of this."""
    headers = {"Authorization": f"Bearer {world.credentials[credential]}"}
    headers["Content-Type"] = "application/json"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(world.base_url + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=2) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, json.load(refused)


class HelperTest(unittest.TestCase):
    def test_a_fault_strikes_once(self):
        with World() as world:
            world.fault(operation="listDeployments", status=503, times=1)
            self.assertEqual(send(world, "GET", "/api/v1/deployments")[0], 503)
            self.assertEqual(send(world, "GET", "/api/v1/deployments")[0], 200)
            self.assertEqual([one["status"] for one in world.requests()], [503, 200])

    def test_a_credential_expires_as_the_clock_moves(self):
        with World() as world:
            world.emit(type="expireCredential", credential="oauth", **{"in": {"minutes": 5}})
            self.assertEqual(send(world, "GET", "/api/v1/deployments", None, "oauth")[0], 200)
            world.advance(minutes=6)
            self.assertEqual(send(world, "GET", "/api/v1/deployments", None, "oauth")[0], 401)

    def test_an_assumption_can_be_otherwise(self):
        with World() as world:
            enable = {"branchName": "dev-ana", "enabled": True}
            self.assertEqual(send(world, "PUT", STAGING, enable)[0], 400)
            world.assume({"STAGE-9": "conflict"})
            self.assertEqual(send(world, "PUT", STAGING, enable)[0], 409)

    def test_a_world_ends(self):
        with World(fixture="basic-plan") as world:
            self.assertEqual(send(world, "GET", "/api/v1/deployments")[0], 200)
        self.assertNotEqual(send(world, "GET", "/api/v1/deployments")[0], 200)

    def test_a_failed_test_names_the_fault(self):
        with self.assertRaises(AssertionError) as failed, World() as world:
            world.fault(operation="listDeployments", status=503, times=1)
            self.assertEqual(send(world, "GET", "/api/v1/deployments")[0], 200)
        if hasattr(failed.exception, "add_note"):
            note = "GET /api/v1/deployments -> 503: fault-1 (before): the service did nothing"
            self.assertEqual(failed.exception.__notes__, [note])

    def test_every_service_that_this_could_be(self):
        def good(world):
            status, folder = send(world, "PUT", FOLDER, {"name": "Q1"})
            assert status == 200 and folder["name"] == "Q1"

        def bad(world):
            try:
                send(world, "PUT", FOLDER, {"name": "Q1"})
            except (OSError, ValueError):
                pass

        with World() as world:
            self.assertEqual(findings(world, good, ["sweep", "loss"]), [])
            found = "\n".join(findings(world, bad, ["loss"]))
            self.assertIn("updateFolder:before  swallowed-error", found)
            missed = "\n".join(findings(world, bad, ["mutant"]))
            self.assertIn("type:updateFolder:name  nobody noticed", missed)


if __name__ == "__main__":
    unittest.main()
