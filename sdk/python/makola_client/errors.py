"""The errors of the client. `reason` is the word of the header `X-Error-Reason`."""

from __future__ import annotations


class MakolaError(Exception):
    """What every error of this client has."""

    def __init__(
        self,
        message: str,
        *,
        reason: str,
        status: int | None = None,
        request_id: str | None = None,
        reference: str | None = None,
        retry_after_seconds: float | None = None,
    ):
        super().__init__(message)
        self.reason = reason
        self.status = status
        self.request_id = request_id
        self.reference = reference
        self.retry_after_seconds = retry_after_seconds


class RefusedError(MakolaError):
    """The API refused, and this call charged nothing."""


class InvalidRequestError(RefusedError):
    """400: the request is not valid."""


class InsufficientFundsError(RefusedError):
    """400 or 402: the wallet or the SMS credits are too low."""


class AccessError(RefusedError):
    """401 or 403: the key or the account may not do this.

    It says nothing about an earlier call with the same reference: if there was one without an answer, repeat the
    reference with `is_repeat` once the key works.
    """


class NotFoundError(RefusedError):
    """404: there is no such package, order, voucher type, campaign or bill account, or it is not yours."""


class ConflictError(RefusedError):
    """409: the reference belongs to another request, or something else stands in the way; `reason` says what."""


class UnavailableError(MakolaError):
    """Within the deadline the API was busy, switched off or limited, or its certificate is not trusted.

    This call charged nothing.
    """


class UnclearError(MakolaError):
    """Nobody knows whether the order was placed. It may have been paid.

    Keep `reference`, and repeat the same call with it and `is_repeat` until it returns the order or raises something
    else. Never make a new reference instead.
    """


class StillOpenError(MakolaError):
    """The order has not ended within the time to wait. It is still on its way: do not buy again."""


class WebhookError(MakolaError):
    """A delivery that must not be believed: `missing_header`, `wrong_time`, `wrong_signature` or `unreadable_body`."""


_BY_STATUS = {400: InvalidRequestError, 401: AccessError, 403: AccessError, 404: NotFoundError, 409: ConflictError}


def refusal_class(status: int, reason: str) -> type[RefusedError]:
    """The class of an answer that no later try will change."""
    if reason in ("insufficient_funds", "insufficient_credits"):
        return InsufficientFundsError
    return _BY_STATUS.get(status, RefusedError)
