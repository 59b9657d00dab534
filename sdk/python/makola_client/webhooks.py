from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .errors import WebhookError


@dataclass(frozen=True)
class WebhookEvent:
    # The same for each delivery of one event: do nothing for an id that you have seen.
    id: str
    # Seconds since 1970.
    sent_at: int
    # The event as it was sent: `type`, `timestamp` and `data`.
    payload: dict[str, Any]


def _secret_bytes(secret: str) -> bytes:
    try:
        is_whole = isinstance(secret, str) and secret.startswith("whsec_")
        found = base64.b64decode(secret.removeprefix("whsec_"), validate=True) if is_whole else b""
    except (binascii.Error, ValueError):
        found = b""
    if not found:
        raise ValueError(
            "A webhook secret begins with whsec_, as the app showed it when the endpoint was added. Is the variable set?"
        )
    return found


def verify_webhook(
    headers: Mapping[str, str],
    body: bytes | str,
    secrets: str | Sequence[str],
    *,
    tolerance_seconds: float = 300,
    now: float | None = None,
) -> WebhookEvent:
    """Checks that a delivery comes from the installation and is fresh, by Standard Webhooks.

    :param body: byte by byte as it came; a body that was parsed and written again has another signature
    :param secrets: `whsec_…`; while one replaces another, give both
    :raises WebhookError: when it must not be believed: answer it with 400
    """
    given = {name.lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not given.get(name):
            raise WebhookError(f"The delivery has no header {name}.", reason="missing_header")
    event_id, sent_at = given["webhook-id"], given["webhook-timestamp"]
    is_number = sent_at.isascii() and sent_at.isdigit()
    if not is_number or abs((time.time() if now is None else now) - int(sent_at)) > tolerance_seconds:
        raise WebhookError("The delivery is too old, or from the future.", reason="wrong_time")
    raw = body.encode() if isinstance(body, str) else body
    signed = f"{event_id}.{sent_at}.".encode() + raw
    signatures = given["webhook-signature"].split(" ")
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        made = "v1," + base64.b64encode(hmac.new(_secret_bytes(secret), signed, hashlib.sha256).digest()).decode()
        # The comparison takes the same time whatever differs.
        if any(hmac.compare_digest(made.encode(), signature.encode()) for signature in signatures):
            return WebhookEvent(event_id, int(sent_at), _read_payload(raw))
    raise WebhookError("No signature of the delivery was made with your secret.", reason="wrong_signature")


def _read_payload(raw: bytes) -> dict[str, Any]:
    try:
        return json.loads(raw)
    except ValueError as error:
        raise WebhookError("The body of the delivery is no JSON.", reason="unreadable_body") from error
