<?php

/** Makes the calls that a test hands in, and prints what became of each; `drive-client.ts` describes the jobs. */

declare(strict_types=1);

use Makola\MakolaClient;
use Makola\MakolaError;

use function Makola\verifyWebhook;

require __DIR__ . '/../autoload.php';

function attempt(Closure $make): array
{
    try {
        $value = $make();
        return ['ends' => 'value', 'value' => $value instanceof Generator ? iterator_to_array($value, false) : $value];
    } catch (MakolaError $error) {
        $name = (new ReflectionClass($error))->getShortName();
        return ['ends' => $name, 'reason' => $error->reason, 'reference' => $error->reference];
    } catch (InvalidArgumentException $error) {
        return ['ends' => 'UsageError', 'reason' => $error->getMessage()];
    } catch (Throwable $error) {
        return ['ends' => 'unexpected', 'reason' => (string) $error];
    }
}

function run(array $job): array
{
    $told = [];
    if ($job['call'] === 'verifyWebhook') {
        [$headers, $body, $secrets, $now] = $job['arguments'];
        $result = attempt(fn () => verifyWebhook($headers, $body, $secrets, now: $now)['payload']);
        return ['name' => $job['name'], 'results' => [$result], 'told' => $told];
    }
    $onReference = function (string $reference) use (&$told): void {
        $told[] = $reference;
    };
    try {
        $client = new MakolaClient(...$job['client'], onReference: $onReference);
    } catch (InvalidArgumentException $error) {
        $refused = ['ends' => 'UsageError', 'reason' => $error->getMessage()];
        return ['name' => $job['name'], 'results' => [$refused], 'told' => $told];
    }
    $call = function (array $values, array $more = []) use ($client, $job): array {
        $options = [...($job['options'] ?? []), ...$more];
        return attempt(fn () => $client->{$job['call']}(...$values, ...($options === [] ? [] : [$options])));
    };
    $results = [];
    for ($time = 0; $time < $job['times']; $time++) {
        $results[] = $call($job['arguments']);
    }
    while ($job['isMadeAgain'] && end($results)['ends'] === 'UnclearError') {
        $order = [...$job['arguments'][0], 'reference' => end($results)['reference']];
        $results[] = $call([$order], ['isRepeat' => true]);
    }
    if (isset($job['wait']) && end($results)['ends'] === 'value') {
        $reference = end($results)['value']['reference'];
        $results[] = attempt(fn () => $client->waitUntilDone($reference, ...$job['wait']));
    }
    return ['name' => $job['name'], 'results' => $results, 'told' => $told];
}

$work = json_decode(stream_get_contents(STDIN), true, flags: JSON_THROW_ON_ERROR);
foreach ($work['jobs'] as $job) {
    echo json_encode(run($job), JSON_THROW_ON_ERROR), "\n";
}
