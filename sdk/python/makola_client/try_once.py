from __future__ import annotations

import http.client
import json
import ssl
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any


@dataclass
class Outcome:
    """What one try has brought.

    `is_unclear`: the API may have carried the request out. `is_hopeless`: no later try changes it.
    """

    kind: str  # 'done', 'refused' or 'again'
    data: Any = None
    is_unclear: bool = False
    is_hopeless: bool = False
    message: str = "No answer came."
    reason: str = "no_answer"
    status: int | None = None
    request_id: str | None = None
    retry_after_seconds: float | None = None
    headers: Message = field(default_factory=Message)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Following a redirect would send the key to another address."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


def _is_envelope(answer: Any, status: int) -> bool:
    if not isinstance(answer, dict):
        return False
    if answer.get("success") is True:
        return status == 200 and "data" in answer
    error = answer.get("error")
    return answer.get("success") is False and isinstance(error, dict) and error.get("code") == status


def _read_retry_after(text: str | None) -> float | None:
    """Seconds of `Retry-After`, which holds seconds or a date."""
    if text is None:
        return None
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _may_have_charged(status: int, reason: str | None) -> bool:
    """500 and `outcome_unknown` say that the order may exist. The other refusals that may change charged nothing."""
    return status >= 500 and (reason is None or status == 500 or reason == "outcome_unknown")


def _read_answer(status: int, headers: Message, body: bytes) -> Outcome:
    try:
        answer = json.loads(body)
    except ValueError:
        answer = None
    # A gateway's page, half an answer or the page of a hotel's network says nothing about what the API did.
    if not _is_envelope(answer, status):
        message = f"The answer ({status}) is none of this API. Is the base URL right?"
        return Outcome("again", is_unclear=True, message=message, status=status, headers=headers)
    if answer["success"]:
        return Outcome("done", data=answer["data"], headers=headers)
    reason = headers.get("X-Error-Reason")
    outcome = Outcome(
        "refused" if status < 500 and status != 429 else "again",
        # Something on the way may answer in our form and leave the message out.
        message=str(answer["error"].get("message", "")),
        reason=reason or f"status_{status}",
        status=status,
        request_id=headers.get("X-Request-Id"),
        retry_after_seconds=_read_retry_after(headers.get("Retry-After")),
        headers=headers,
    )
    outcome.is_unclear = outcome.kind == "again" and _may_have_charged(status, reason)
    return outcome


def _without_answer(error: Exception) -> Outcome:
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    if not isinstance(cause, ssl.SSLCertVerificationError):
        return Outcome("again", is_unclear=True, message=f"No answer came: {cause or type(cause).__name__}.")
    # A certificate is looked at before anything is sent, and waiting does not make it right.
    message = (
        f"Nothing was sent, because the certificate of the server is not trusted: {cause.verify_message}. On an "
        "installation with an authority of its own, SSL_CERT_FILE names the whole path of its ca.pem."
    )
    return Outcome("again", is_hopeless=True, message=message, reason="untrusted_certificate")


def try_once(method: str, url: str, key: str, body: bytes | None, timeout_seconds: float) -> Outcome:
    """Sends a request once. Whatever happens is a value."""
    headers = {"Authorization": key}
    if body is not None:
        headers["Content-Type"] = "application/json"
    request = urllib.request.Request(url, data=body, headers=headers, method=method)
    try:
        try:
            with _opener.open(request, timeout=timeout_seconds) as response:
                return _read_answer(response.status, response.headers, response.read())
        except urllib.error.HTTPError as response:
            with response:
                return _read_answer(response.code, response.headers, response.read())
    except (OSError, http.client.HTTPException) as error:
        return _without_answer(error)
