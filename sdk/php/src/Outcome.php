<?php

declare(strict_types=1);

namespace Makola;

/**
 * What one try has brought.
 *
 * @internal
 */
final class Outcome
{
    /**
     * @param string $kind `done`, `refused` or `again`
     * @param bool $isUnclear the API may have carried the request out
     * @param bool $isHopeless no later try changes it
     * @param array<string, string> $headers by their names in small letters
     */
    private function __construct(
        public readonly string $kind,
        public readonly mixed $data = null,
        public readonly bool $isUnclear = false,
        public readonly string $message = 'No answer came.',
        public readonly string $reason = 'no_answer',
        public readonly ?int $status = null,
        public readonly array $headers = [],
        public readonly bool $isHopeless = false,
    ) {
    }

    /** Sends a request once. Whatever happens is a value. */
    public static function ofTry(string $method, string $url, string $key, ?string $body, float $timeoutSeconds): self
    {
        $headers = [];
        $request = curl_init($url);
        curl_setopt_array($request, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => ["Authorization: $key", ...($body === null ? [] : ['Content-Type: application/json'])],
            CURLOPT_RETURNTRANSFER => true,
            // Following a redirect would send the key to another address.
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_TIMEOUT_MS => (int) ceil($timeoutSeconds * 1000),
            CURLOPT_HEADERFUNCTION => function ($request, string $line) use (&$headers): int {
                [$name, $value] = [...explode(':', $line, 2), ''];
                $headers[strtolower(trim($name))] = trim($value);
                return strlen($line);
            },
        ]);
        if ($body !== null) {
            curl_setopt($request, CURLOPT_POSTFIELDS, $body);
        }
        $answer = curl_exec($request);
        if (!is_string($answer)) {
            return self::withoutAnswer(curl_errno($request), curl_error($request));
        }
        return self::ofAnswer((int) curl_getinfo($request, CURLINFO_RESPONSE_CODE), $headers, $answer);
    }

    private static function withoutAnswer(int $code, string $text): self
    {
        // 77: the file with the authorities cannot be read; the others: the certificate is not trusted.
        if (!in_array($code, [CURLE_SSL_PEER_CERTIFICATE, CURLE_SSL_CACERT, 77], true)) {
            return new self('again', isUnclear: true, message: "No answer came: $text.");
        }
        // A certificate is looked at before anything is sent, and waiting does not make it right.
        $message = "Nothing was sent, because the certificate of the server is not trusted: $text. On an installation with "
            . 'an authority of its own, curl.cainfo in php.ini, or `php -d curl.cainfo=…`, names the whole path of its ca.pem.';
        return new self('again', message: $message, reason: 'untrusted_certificate', isHopeless: true);
    }

    /** @param array<string, string> $headers */
    private static function ofAnswer(int $status, array $headers, string $body): self
    {
        $answer = json_decode($body, true);
        // A gateway's page, half an answer or the page of a hotel's network says nothing about what the API did.
        if (!self::isEnvelope($answer, $status)) {
            $message = "The answer ($status) is none of this API. Is the base URL right?";
            return new self('again', isUnclear: true, message: $message, status: $status, headers: $headers);
        }
        if ($answer['success']) {
            return new self('done', data: $answer['data'], headers: $headers);
        }
        $reason = $headers['x-error-reason'] ?? null;
        $isFinal = $status < 500 && $status !== 429;
        return new self(
            $isFinal ? 'refused' : 'again',
            isUnclear: !$isFinal && self::mayHaveCharged($status, $reason),
            message: (string) ($answer['error']['message'] ?? ''),
            reason: $reason ?? "status_$status",
            status: $status,
            headers: $headers,
        );
    }

    private static function isEnvelope(mixed $answer, int $status): bool
    {
        if (!is_array($answer)) {
            return false;
        }
        if (($answer['success'] ?? null) === true) {
            return $status === 200 && array_key_exists('data', $answer);
        }
        return ($answer['success'] ?? null) === false && ($answer['error']['code'] ?? null) === $status;
    }

    /** 500 and `outcome_unknown` say that the order may exist. The other refusals that may change charged nothing. */
    private static function mayHaveCharged(int $status, ?string $reason): bool
    {
        return $status >= 500 && ($reason === null || $status === 500 || $reason === 'outcome_unknown');
    }

    /** Seconds of `Retry-After`, which holds seconds or a date. */
    public function retryAfterSeconds(): ?float
    {
        $text = $this->headers['retry-after'] ?? '';
        if (ctype_digit($text)) {
            return (float) $text;
        }
        $moment = strtotime($text);
        return $text === '' || $moment === false ? null : (float) max(0, $moment - time());
    }

    /** The error of an answer that no later try will change. */
    public function refusal(?string $reference): RefusedError
    {
        if (in_array($this->reason, ['insufficient_funds', 'insufficient_credits'], true)) {
            return $this->error(InsufficientFundsError::class, $reference);
        }
        return $this->error(match ($this->status) {
            400 => InvalidRequestError::class,
            401, 403 => AccessError::class,
            404 => NotFoundError::class,
            409 => ConflictError::class,
            default => RefusedError::class,
        }, $reference);
    }

    public function unclear(?string $reference): UnclearError
    {
        $message = "Whether the order was placed is not known. Repeat the reference $reference. $this->message";
        return $this->error(UnclearError::class, $reference, $message);
    }

    /**
     * @template Kind of MakolaError
     * @param class-string<Kind> $class
     * @return Kind
     */
    public function error(string $class, ?string $reference, ?string $message = null): MakolaError
    {
        $requestId = $this->headers['x-request-id'] ?? null;
        $message ??= $this->message;
        return new $class($message, $this->reason, $this->status, $requestId, $reference, $this->retryAfterSeconds());
    }
}
