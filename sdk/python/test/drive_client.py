"""Makes the calls that a test hands in, and prints what became of each; `drive-client.ts` describes the jobs."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from makola_client import MakolaClient, MakolaError, verify_webhook  # noqa: E402


def snake(name: str) -> str:
    return re.sub(r"([A-Z])", lambda found: "_" + found.group(1).lower(), name)


def attempt(make: Callable[[], Any]) -> dict[str, Any]:
    try:
        value = make()
        return {"ends": "value", "value": list(value) if hasattr(value, "__next__") else value}
    except MakolaError as error:
        return {"ends": type(error).__name__, "reason": error.reason, "reference": error.reference}
    except ValueError as error:
        return {"ends": "UsageError", "reason": str(error)}
    except Exception as error:
        return {"ends": "unexpected", "reason": repr(error)}


def run(job: dict[str, Any]) -> dict[str, Any]:
    told: list[str] = []
    if job["call"] == "verifyWebhook":
        headers, body, secrets, now = job["arguments"]
        result = attempt(lambda: verify_webhook(headers, body, secrets, now=now).payload)
        return {"name": job["name"], "results": [result], "told": told}
    settings = {snake(name): value for name, value in job["client"].items()}
    try:
        client = MakolaClient(**settings, on_reference=lambda reference, name, order: told.append(reference))
    except ValueError as error:
        return {"name": job["name"], "results": [{"ends": "UsageError", "reason": str(error)}], "told": told}
    method = getattr(client, snake(job["call"]))
    options = {snake(name): value for name, value in job.get("options", {}).items()}
    results = [attempt(lambda: method(*job["arguments"], **options)) for _ in range(job["times"])]
    while job["isMadeAgain"] and results[-1]["ends"] == "UnclearError":
        order = {**job["arguments"][0], "reference": results[-1]["reference"]}
        results.append(attempt(lambda: method(order, **{**options, "is_repeat": True})))
    if job.get("wait") and results[-1]["ends"] == "value":
        reference = results[-1]["value"]["reference"]
        results.append(attempt(lambda: client.wait_until_done(reference, *job["wait"])))
    return {"name": job["name"], "results": results, "told": told}


work = json.load(sys.stdin)
with ThreadPoolExecutor(work["atOnce"]) as threads:
    for done in threads.map(run, work["jobs"]):
        print(json.dumps(done), flush=True)
