<?php
// WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:8080 receive-webhooks.php
$secret = base64_decode(substr(getenv('WEBHOOK_SECRET'), strlen('whsec_')));
$body = file_get_contents('php://input');
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$at = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';

$wanted = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$at.$body", $secret, true));
$isGenuine = false;
foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
    $isGenuine = $isGenuine || hash_equals($wanted, $given);
}
if (!$isGenuine || abs(time() - (int) $at) > 300) {
    http_response_code(400);
    exit;
}

// Stored under its id before the answer. The folder stands for a table of yours; work on what is in it afterwards.
is_dir('events') || mkdir('events');
$file = @fopen("events/$id.json", 'x');
if ($file !== false) {
    fwrite($file, $body);
    fclose($file);
    $event = json_decode($body, true);
    error_log($event['type'] . ' ' . ($event['data']['reference'] ?? ''));
} elseif (!file_exists("events/$id.json")) {
    http_response_code(500);
    exit;
}
// A file that was there: the event came before, and nothing is done a second time.
http_response_code(204);
