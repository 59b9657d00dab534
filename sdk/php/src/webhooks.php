<?php

declare(strict_types=1);

namespace Makola;

/**
 * Checks that a delivery comes from the installation and is fresh, by Standard Webhooks.
 *
 * @param array<string, string> $headers as `getallheaders()` gives them
 * @param string $body byte by byte as it came (`php://input`); a body that was parsed and written again has another signature
 * @param string|list<string> $secrets `whsec_…`; while one replaces another, give both
 * @param ?int $now the moment to compare with, in seconds; the present one if left out
 * @return array{id: string, sentAt: int, payload: array<string, mixed>} do nothing for an id that you have seen
 * @throws WebhookError when it must not be believed: answer it with 400
 */
function verifyWebhook(array $headers, string $body, string|array $secrets, int $toleranceSeconds = 300, ?int $now = null): array
{
    $given = array_change_key_case($headers);
    foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
        if (($given[$name] ?? '') === '') {
            throw new WebhookError("The delivery has no header $name.", 'missing_header');
        }
    }
    $sentAt = $given['webhook-timestamp'];
    if (!ctype_digit($sentAt) || abs(($now ?? time()) - (int) $sentAt) > $toleranceSeconds) {
        throw new WebhookError('The delivery is too old, or from the future.', 'wrong_time');
    }
    $signed = "{$given['webhook-id']}.$sentAt.$body";
    foreach ((array) $secrets as $secret) {
        $bytes = str_starts_with((string) $secret, 'whsec_') ? base64_decode(substr($secret, strlen('whsec_')), true) : '';
        if ($bytes === false || $bytes === '') {
            throw new \InvalidArgumentException(
                'A webhook secret begins with whsec_, as the app showed it when the endpoint was added. Is the variable set?',
            );
        }
        $made = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $bytes, true));
        foreach (explode(' ', $given['webhook-signature']) as $signature) {
            // The comparison takes the same time whatever differs.
            if (hash_equals($made, $signature)) {
                $payload = json_decode($body, true);
                if (!is_array($payload)) {
                    throw new WebhookError('The body of the delivery is no JSON.', 'unreadable_body');
                }
                return ['id' => $given['webhook-id'], 'sentAt' => (int) $sentAt, 'payload' => $payload];
            }
        }
    }
    throw new WebhookError('No signature of the delivery was made with your secret.', 'wrong_signature');
}
