<?php

declare(strict_types=1);

namespace Makola;

/**
 * What all calls of a client share.
 *
 * @internal
 */
final class Connection
{
    private readonly string $baseUrl;

    /** @var array<string, string> the name under which the requests of an endpoint are counted */
    private array $limitNames = [];

    /** @var array<string, float> the moment from which a name has requests again */
    private array $freeAt = [];

    /**
     * @param array<string, ?string> $keys by their types
     * @param array<string, float> $patience
     */
    public function __construct(
        string $baseUrl,
        private readonly array $keys,
        private readonly array $patience,
        private readonly ?\Closure $onReference,
    ) {
        $parts = parse_url($baseUrl);
        // The key would go over the network in the open.
        if (($parts['scheme'] ?? '') !== 'https' && !in_array($parts['host'] ?? '', ['localhost', '127.0.0.1', '[::1]'], true)) {
            throw new \InvalidArgumentException('baseUrl must begin with https://.');
        }
        $this->baseUrl = rtrim($baseUrl, '/');
    }

    /**
     * Gives an order that has no reference one, and tells it before anything is sent.
     *
     * @param array<string, mixed> $order
     * @return array<string, mixed>
     */
    public function withReference(string $endpoint, array $order): array
    {
        if (isset($order['reference'])) {
            return $order;
        }
        $body = [...$order, 'reference' => 'auto-' . bin2hex(random_bytes(16))];
        if ($this->onReference !== null) {
            ($this->onReference)($body['reference'], $endpoint, $body);
        }
        return $body;
    }

    /**
     * Sends a request until it has an answer that counts or the deadline is over. Each try has the same reference, so that
     * the order exists at most once and is paid at most once.
     *
     * @param array{string, string, string} $endpoint method, path and type of key
     * @param array<string, mixed> $query
     * @param ?array<string, mixed> $body
     * @param array<string, mixed> $options
     */
    public function ask(
        array $endpoint,
        string $path = '',
        array $query = [],
        ?array $body = null,
        ?string $reference = null,
        array $options = [],
    ): Answered {
        [$method, $template, $keyType] = $endpoint;
        $key = $this->keys[$keyType] ?: throw new \InvalidArgumentException("$method $template needs the client's {$keyType}Key.");
        $search = http_build_query(array_map(fn ($value) => is_bool($value) ? var_export($value, true) : $value, $query));
        $url = $this->baseUrl . preg_replace('/\{\w+\}/', rawurlencode($path), $template) . ($search === '' ? '' : "?$search");
        $sent = $body === null ? null : json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);
        $endsAt = microtime(true) + ($options['deadlineSeconds'] ?? $this->patience['deadlineSeconds']);
        $isUnclear = $options['isRepeat'] ?? false;
        for ($tries = 1; ; $tries++) {
            $this->waitForTurn($template, $endsAt);
            $timeout = $options['timeoutSeconds'] ?? $this->patience['timeoutSeconds'];
            $outcome = Outcome::ofTry($method, $url, $key, $sent, $timeout);
            $this->noteLimit($template, $outcome->headers);
            if ($outcome->kind === 'done') {
                return new Answered($outcome->data);
            }
            if ($outcome->kind === 'refused') {
                // 401 and 403 are answered before anybody looks at the reference: they say nothing about earlier tries.
                $saysNothing = $isUnclear && in_array($outcome->status, [401, 403], true);
                return new Answered(null, $saysNothing ? $outcome->unclear($reference) : $outcome->refusal($reference), $isUnclear);
            }
            $isUnclear = $isUnclear || ($outcome->isUnclear && $reference !== null);
            $wait = $this->secondsToWait($tries, $outcome->retryAfterSeconds());
            if ($outcome->isHopeless || microtime(true) + $wait >= $endsAt) {
                $error = $isUnclear ? $outcome->unclear($reference) : $outcome->error(UnavailableError::class, $reference);
                return new Answered(null, $error, $isUnclear);
            }
            self::sleep($wait);
        }
    }

    public static function sleep(float $seconds): void
    {
        usleep((int) ceil($seconds * 1_000_000));
    }

    /** At least as long as the API asks for, with some chance so that clients do not come together. */
    private function secondsToWait(int $tries, ?float $asked): float
    {
        $usual = min($this->patience['firstWaitSeconds'] * 2 ** ($tries - 1), $this->patience['longestWaitSeconds']);
        return max($asked ?? 0, $usual * random_int(500, 1000) / 1000);
    }

    /** Where the wait is longer than the time left, the API refuses with the exact time to wait. */
    private function waitForTurn(string $template, float $endsAt): void
    {
        $freeAt = $this->freeAt[$this->limitNames[$template] ?? ''] ?? 0;
        if ($freeAt > microtime(true) && $freeAt < $endsAt) {
            self::sleep($freeAt - microtime(true));
        }
    }

    /**
     * Reads `RateLimit: "GET /account/role";r=29;t=60`.
     *
     * @param array<string, string> $headers
     */
    private function noteLimit(string $template, array $headers): void
    {
        if (preg_match('/^"([^"]*)";r=(\d+);t=(\d+)/', $headers['ratelimit'] ?? '', $found) !== 1) {
            return;
        }
        [, $name, $left, $seconds] = $found;
        $this->limitNames[$template] = $name;
        $this->freeAt[$name] = $left === '0' ? microtime(true) + (int) $seconds : 0.0;
    }
}
