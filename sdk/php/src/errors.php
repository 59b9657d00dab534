<?php

declare(strict_types=1);

namespace Makola;

/** What every error of this client has. `reason` is the word of the header `X-Error-Reason`. */
class MakolaError extends \RuntimeException
{
    public function __construct(
        string $message,
        public readonly string $reason,
        public readonly ?int $status = null,
        public readonly ?string $requestId = null,
        public readonly ?string $reference = null,
        public readonly ?float $retryAfterSeconds = null,
    ) {
        parent::__construct($message);
    }
}

/** The API refused, and this call charged nothing. */
class RefusedError extends MakolaError
{
}

/** 400: the request is not valid. */
final class InvalidRequestError extends RefusedError
{
}

/** 400 or 402: the wallet or the SMS credits are too low. */
final class InsufficientFundsError extends RefusedError
{
}

/**
 * 401 or 403: the key or the account may not do this. It says nothing about an earlier call with the same reference: if
 * there was one without an answer, repeat the reference with `isRepeat` once the key works.
 */
final class AccessError extends RefusedError
{
}

/** 404: there is no such package, order, voucher type, campaign or bill account, or it is not yours. */
final class NotFoundError extends RefusedError
{
}

/** 409: the reference belongs to another request, or something else stands in the way; `reason` says what. */
final class ConflictError extends RefusedError
{
}

/** Within the deadline the API was busy, switched off or limited, or its certificate is not trusted. This call charged nothing. */
final class UnavailableError extends MakolaError
{
}

/**
 * Nobody knows whether the order was placed. It may have been paid. Keep `reference`, and repeat the same call with it and
 * `isRepeat` until it returns the order or throws something else. Never make a new reference instead.
 */
final class UnclearError extends MakolaError
{
}

/** The order has not ended within the time to wait. It is still on its way: do not buy again. */
final class StillOpenError extends MakolaError
{
}

/** A delivery that must not be believed: `missing_header`, `wrong_time`, `wrong_signature` or `unreadable_body`. */
final class WebhookError extends MakolaError
{
}
