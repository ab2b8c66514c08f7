"""A client of the service. CLIENT_FAULT switches on mistakes, by name, several with commas between them."""

import json
import os
import urllib.error
import urllib.request

FAULTS = os.environ.get("CLIENT_FAULT", "").split(",")
BASE_URL = os.environ["LOCKSTEP_BASE_URL"]
ADMIN_KEY = os.environ["LOCKSTEP_ADMIN_KEY"]
SCIM_TOKEN = os.environ["LOCKSTEP_SCIM_TOKEN"]


class Failed(Exception):
    """No answer, or none that can be used."""


def send(method, path, body=None, key=ADMIN_KEY, content_type="application/json", time_limit=3):
    """Status and text of an answer, whatever its status."""
    request = urllib.request.Request(BASE_URL + path, method=method)
    request.add_header("Authorization", f"Bearer {key}")
    if body is not None:
        request.data = json.dumps(body).encode()
        # Without one, urllib says that it is a form.
        request.add_header("Content-Type", content_type)
    try:
        with urllib.request.urlopen(request, timeout=time_limit) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        try:
            with refused:
                return refused.code, refused.read().decode()
        except Exception as error:
            raise Failed(f"{method} {path}: {error}") from error
    except Exception as error:
        raise Failed(f"{method} {path}: {error}") from error


def read(answer):
    """JSON of an answer that is a success."""
    status, text = answer
    if not 200 <= status <= 299:
        raise Failed(f"answered {status}")
    try:
        return json.loads(text)
    except ValueError as error:
        raise Failed("the answer is not JSON") from error


def create_token(environment):
    path = f"/api/v1/deployments/1/environments/{environment}/tokens-for-meta-sync"
    body = {"security_context": {"tenant_id": 42}}
    try:
        answer = read(send("POST", path, body))
    except Failed:
        # Nothing says that this write may be repeated.
        if "blind-repeat" not in FAULTS:
            raise
        answer = read(send("POST", path, body))
    return answer["data"]["token"]


def rename_folder(folder, name):
    try:
        return read(send("PUT", f"/api/v1/deployments/1/folders/{folder}", {"name": name}))["name"]
    except Failed:
        if "swallowed-error" not in FAULTS:
            raise
        return name


def users():
    names = []
    while True:
        path = f"/api/scim/v2/Users?startIndex={len(names) + 1}"
        page = read(send("GET", path, key=SCIM_TOKEN))
        found = page.get("Resources", [])
        names += [user["userName"] for user in found]
        if "half-of-the-pages" in FAULTS or len(names) >= page["totalResults"]:
            return names
        if not found:
            raise Failed("a page is empty, and there is more to come")


def current_version():
    time_limit = None if "hang" in FAULTS else 3
    versions = read(send("GET", "/api/v1/deployments/1/versions", time_limit=time_limit))["data"]
    return next(one["version"] for one in versions if one["isCurrent"])


def enable_staging(branch):
    path = "/build/api/v1/deployments/1/branches/staging-environment"
    answer = send("PUT", path, {"branchName": branch, "enabled": True})
    status, _ = answer
    # The description says that it is refused, and not with which status.
    is_refused = status == 400 if "status" in FAULTS else 400 <= status < 500
    if is_refused:
        return "refused"
    read(answer)
    return "enabled"


def add_recipient(notification, user):
    path = f"/api/v1/deployments/1/notifications/{notification}/recipients"
    # It is left to the service to take the body for JSON.
    content_type = "text/plain" if "header" in FAULTS else "application/json"
    answer = read(send("POST", path, {"recipients": [{"userId": user}]}, content_type=content_type))
    return [recipient["email"] for recipient in answer["createdRecipients"]]


def has_staging(branch):
    answer = send("GET", "/api/v1/deployments/1/environments?type=staging")
    # A gateway's 503 in JSON has no environments either.
    page = json.loads(answer[1]) if "parse" in FAULTS else read(answer)
    environments = page.get("data", {}).get("environments", [])
    return any(one["name"] == f"staging {branch}" for one in environments)
