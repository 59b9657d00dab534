from __future__ import annotations

import json
import random
import re
import threading
import time
import urllib.parse
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.message import Message
from typing import Any

from .errors import MakolaError, UnavailableError, UnclearError, refusal_class
from .try_once import Outcome, try_once


@dataclass(frozen=True)
class Patience:
    """How long tries and waits may take, in seconds."""

    # For one try: to connect, and then between two parts of its answer.
    timeout_seconds: float = 30
    # No try of a call begins after this time. One that has begun is not cut short: its answer would be lost.
    deadline_seconds: float = 120
    # Before the second try; each wait is twice as long as the one before.
    first_wait_seconds: float = 1
    longest_wait_seconds: float = 60

    def seconds_to_wait(self, tries: int, asked: float | None) -> float:
        """At least as long as the API asks for, with some chance so that clients do not come together."""
        usual = min(self.first_wait_seconds * 2 ** (tries - 1), self.longest_wait_seconds)
        return max(asked or 0, usual * random.uniform(0.5, 1))


class RateLimits:
    """Remembers what the headers `RateLimit` say, so that a call waits for its turn instead of being refused."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._free_at: dict[str, float] = {}
        self._lock = threading.Lock()

    def seconds_until_free(self, endpoint: str) -> float:
        with self._lock:
            free_at = self._free_at.get(self._names.get(endpoint, ""), 0)
        return max(0.0, free_at - time.monotonic())

    def note(self, endpoint: str, headers: Message) -> None:
        """Reads `RateLimit: "GET /account/role";r=29;t=60`."""
        found = re.match(r'"([^"]*)";r=(\d+);t=(\d+)', headers.get("RateLimit") or "")
        if not found:
            return
        name, left, seconds = found.groups()
        with self._lock:
            self._names[endpoint] = name
            self._free_at[name] = time.monotonic() + int(seconds) if left == "0" else 0


@dataclass(frozen=True)
class Refused:
    """What a call raises, and whether an earlier try had an outcome that was not known."""

    error: MakolaError
    is_after_unclear_try: bool


def _error(kind: type[MakolaError], message: str, outcome: Outcome, reference: str | None) -> MakolaError:
    return kind(
        message,
        reason=outcome.reason,
        status=outcome.status,
        request_id=outcome.request_id,
        reference=reference,
        retry_after_seconds=outcome.retry_after_seconds,
    )


def _unclear(outcome: Outcome, reference: str | None) -> MakolaError:
    message = f"Whether the order was placed is not known. Repeat the reference {reference}. {outcome.message}"
    return _error(UnclearError, message, outcome, reference)


def _check_base_url(text: str) -> str:
    url = urllib.parse.urlsplit(text)
    # The key would go over the network in the open.
    if url.scheme != "https" and url.hostname not in ("localhost", "127.0.0.1", "::1"):
        raise ValueError("base_url must begin with https://.")
    return text.rstrip("/")


class Connection:
    """What all calls of a client share."""

    def __init__(
        self,
        base_url: str,
        keys: Mapping[str, str | None],
        patience: Patience,
        on_reference: Callable[[str, str, dict[str, Any]], None] | None,
    ):
        self._base_url = _check_base_url(base_url)
        self._keys = keys
        self._patience = patience
        self._limits = RateLimits()
        self._on_reference = on_reference

    def with_reference(self, endpoint: str, order: Mapping[str, Any]) -> dict[str, Any]:
        """Gives an order that has no reference one, and tells it before anything is sent."""
        if order.get("reference") is not None:
            return dict(order)
        body = {**order, "reference": f"auto-{uuid.uuid4()}"}
        if self._on_reference:
            self._on_reference(body["reference"], endpoint, body)
        return body

    def ask(
        self,
        endpoint: tuple[str, str, str],
        *,
        path: str = "",
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        reference: str | None = None,
        timeout_seconds: float | None = None,
        deadline_seconds: float | None = None,
        is_repeat: bool = False,
    ) -> Any:
        """Sends a request until it has an answer that counts or the deadline is over, and returns `data` or `Refused`.

        Each try has the same reference, so that the order exists at most once and is paid at most once.
        """
        method, template, key_type = endpoint
        key = self._keys.get(key_type)
        if not key:
            raise ValueError(f"{method} {template} needs the client's {key_type}_key.")
        filled = re.sub(r"\{\w+\}", lambda _: urllib.parse.quote(path, safe=""), template)
        asked = {name: value for name, value in (query or {}).items() if value is not None}
        url = self._base_url + filled + ("?" + urllib.parse.urlencode(asked) if asked else "")
        sent = None if body is None else json.dumps(body).encode()
        timeout = timeout_seconds or self._patience.timeout_seconds
        ends_at = time.monotonic() + (deadline_seconds or self._patience.deadline_seconds)
        is_unclear = is_repeat
        tries = 0
        while True:
            tries += 1
            # Where the wait is longer than the time left, the API refuses with the exact time to wait.
            until_free = self._limits.seconds_until_free(template)
            if 0 < until_free < ends_at - time.monotonic():
                time.sleep(until_free)
            outcome = try_once(method, url, key, sent, timeout)
            self._limits.note(template, outcome.headers)
            if outcome.kind == "done":
                return outcome.data
            if outcome.kind == "refused":
                # 401 and 403 are answered before anybody looks at the reference: they say nothing about earlier tries.
                if is_unclear and outcome.status in (401, 403):
                    return Refused(_unclear(outcome, reference), True)
                kind = refusal_class(outcome.status or 0, outcome.reason)
                return Refused(_error(kind, outcome.message, outcome, reference), is_unclear)
            is_unclear = is_unclear or (outcome.is_unclear and reference is not None)
            wait = self._patience.seconds_to_wait(tries, outcome.retry_after_seconds)
            if outcome.is_hopeless or wait >= ends_at - time.monotonic():
                if is_unclear:
                    return Refused(_unclear(outcome, reference), True)
                return Refused(_error(UnavailableError, outcome.message, outcome, reference), False)
            time.sleep(wait)

    def read(self, endpoint: tuple[str, str, str], **request: Any) -> Any:
        """The `data` of the answer."""
        answer = self.ask(endpoint, **request)
        if isinstance(answer, Refused):
            raise answer.error
        return answer
