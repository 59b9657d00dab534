"""A client for the reseller API of a Makola installation."""

from .client import MakolaClient
from .errors import (
    AccessError,
    ConflictError,
    InsufficientFundsError,
    InvalidRequestError,
    MakolaError,
    NotFoundError,
    RefusedError,
    StillOpenError,
    UnavailableError,
    UnclearError,
    WebhookError,
)
from .webhooks import WebhookEvent, verify_webhook

__all__ = [
    "AccessError",
    "ConflictError",
    "InsufficientFundsError",
    "InvalidRequestError",
    "MakolaClient",
    "MakolaError",
    "NotFoundError",
    "RefusedError",
    "StillOpenError",
    "UnavailableError",
    "UnclearError",
    "WebhookError",
    "WebhookEvent",
    "verify_webhook",
]
