<?php
// php reconcile.php 2026-01-15 own-orders.json
require 'makola-client.php';

[, $day, $file] = $argv;
$makola = new Makola\MakolaClient('https://localhost:8443/api/v2', standardKey: getenv('MAKOLA_KEY'));

// What your own books have of that day: {"order-2026-0001": {"status": "completed", "price": 5.2}}
$mine = json_decode(file_get_contents($file), true, flags: JSON_THROW_ON_ERROR);
$nextDay = (new DateTimeImmutable($day, new DateTimeZone('UTC')))->modify('+1 day')->format('Y-m-d');
$during = ['created_from' => "{$day}T00:00:00Z", 'created_before' => "{$nextDay}T00:00:00Z"];
$pesewas = fn ($amount) => (int) round($amount * 100);

$differences = [];
$theirs = [];
foreach ($makola->everyOrder($during) as $order) {
    $theirs[$order['reference']] = $order;
}
foreach (array_keys($mine + $theirs) as $reference) {
    [$yours, $ours] = [$mine[$reference] ?? null, $theirs[$reference] ?? null];
    if ($ours === null) {
        $differences[] = "$reference: only in your books, so nothing was charged that day";
    } elseif ($yours === null) {
        $differences[] = "$reference: only here, {$ours['status']} {$ours['price']}";
    } elseif ($yours['status'] !== $ours['status'] || $pesewas($yours['price']) !== $pesewas($ours['price'])) {
        $differences[] = "$reference: {$yours['status']} {$yours['price']} in your books, {$ours['status']} {$ours['price']} here";
    }
}

// The wallet, newest first: no number is missing, and each balance goes on from the one before.
$newer = null;
foreach ($makola->everyWalletTransaction($during) as $entry) {
    $fits = $newer === null
        || ($entry['transaction_no'] + 1 === $newer['transaction_no'] && $entry['balance_after'] == $newer['balance_before']);
    if (!$fits) {
        $differences[] = "wallet: between {$entry['transaction_no']} and {$newer['transaction_no']}";
    }
    $newer = $entry;
}

foreach ($differences as $difference) {
    echo $difference, "\n";
}
echo "$day: ", count($theirs), ' orders, ', count($differences), " differences\n";
exit($differences ? 1 : 0);
