<?php
// php buy-with-retries.php REFERENCE
const API = 'https://localhost:8443/api/v2';
$reference = $argv[1] ?? 'order-2026-0001';
$order = ['network' => 'MTN', 'volume_gb' => 1, 'recipient' => '0241234567', 'reference' => $reference];

function ask(string $path, ?array $body = null): array
{
    for ($wait = 1; ; $wait = min($wait * 2, 60)) {
        $retryAfter = 0;
        $request = curl_init(API . $path);
        curl_setopt_array($request, [
            CURLOPT_HTTPHEADER => ['Authorization: ' . getenv('MAKOLA_KEY'), 'Content-Type: application/json'],
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 30,
            CURLOPT_HEADERFUNCTION => function ($request, $line) use (&$retryAfter) {
                if (stripos($line, 'Retry-After:') === 0) {
                    $retryAfter = (int) substr($line, 12);
                }
                return strlen($line);
            },
        ]);
        if ($body !== null) {
            curl_setopt($request, CURLOPT_POSTFIELDS, json_encode($body));
        }
        $answer = json_decode((string) curl_exec($request), true);
        $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
        if ($answer !== null && $answer['success']) {
            return $answer['data'];
        }
        // A 4xx charges nothing, and only 429 passes by itself. After 401 or 403 keep the reference:
        // an earlier try may have paid.
        if ($answer !== null && $status < 500 && $status !== 429) {
            fwrite(STDERR, "$status: {$answer['error']['message']}\n");
            exit(1);
        }
        usleep((int) (($retryAfter ?: $wait * random_int(50, 100) / 100) * 1_000_000));
    }
}

$placed = ask('/data/purchase', $order);
while (in_array($placed['status'], ['queued', 'pending', 'processing'])) {
    sleep(2);
    $placed = ask('/orders/' . rawurlencode($reference));
}
echo $placed['reference'], ' ', $placed['status'], "\n";
