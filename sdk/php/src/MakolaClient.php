<?php

declare(strict_types=1);

namespace Makola;

/**
 * The reseller API of one installation. Amounts are in GHS with at most two decimals.
 *
 * Calls that cost money are repeated with the same reference until the outcome is known or the deadline is over, so that an
 * order exists at most once and is paid at most once. They throw `RefusedError` or `UnavailableError` when this call charged
 * nothing, and `UnclearError` when nobody can know: then repeat the same reference with `['isRepeat' => true]`.
 *
 * Every method takes `$options`: `timeoutSeconds`, `deadlineSeconds`, `isRepeat`.
 */
final class MakolaClient
{
    /** Where each endpoint is, and the key that it takes. */
    private const ENDPOINTS = [
        'readAccountRole' => ['GET', '/account/role', 'standard'],
        'readWalletBalance' => ['GET', '/wallet/balance', 'standard'],
        'listWalletTransactions' => ['GET', '/wallet/transactions', 'standard'],
        'readRequest' => ['GET', '/requests/{request_id}', 'standard'],
        'listAllOrders' => ['GET', '/orders', 'standard'],
        'listPackages' => ['GET', '/packages', 'standard'],
        'purchaseData' => ['POST', '/data/purchase', 'standard'],
        'purchaseDataBatch' => ['POST', '/data/bulk', 'standard'],
        'findDataOrder' => ['GET', '/orders/{reference}', 'standard'],
        'verifyNumber' => ['POST', '/data/verify-number', 'standard'],
        'verifyNumberOnServer1' => ['POST', '/data/verify-number/server-1', 'standard'],
        'verifyNumberOnServer2' => ['POST', '/data/verify-number/server-2', 'standard'],
        'purchaseAirtime' => ['POST', '/airtime/purchase', 'commission'],
        'listAirtimeOrders' => ['GET', '/airtime/orders', 'commission'],
        'findAirtimeOrder' => ['GET', '/airtime/orders/{reference}', 'commission'],
        'listVoucherTypes' => ['GET', '/resultschecker/types', 'standard'],
        'purchaseVouchers' => ['POST', '/resultschecker/purchase', 'standard'],
        'listVoucherOrders' => ['GET', '/resultschecker/orders', 'standard'],
        'recallVouchers' => ['GET', '/resultschecker/orders/{reference}', 'standard'],
        'registerAfa' => ['POST', '/afa/register', 'standard'],
        'listAfaOrders' => ['GET', '/afa/orders', 'standard'],
        'findAfaOrder' => ['GET', '/afa/orders/{reference}', 'standard'],
        'sendSms' => ['POST', '/sms/send', 'sms'],
        'listSmsSenders' => ['GET', '/sms/senders', 'sms'],
        'listSmsCampaigns' => ['GET', '/sms/campaigns', 'sms'],
        'listSmsMessages' => ['GET', '/sms/messages/{id}', 'sms'],
        'listSmsOptOuts' => ['GET', '/sms/opt-outs', 'sms'],
        'addSmsOptOuts' => ['POST', '/sms/opt-outs', 'sms'],
        'removeSmsOptOuts' => ['POST', '/sms/opt-outs/remove', 'sms'],
        'readSmsBalance' => ['GET', '/sms/balance', 'sms'],
        'listBillers' => ['GET', '/utilities/billers', 'commission'],
        'lookUpBillAccount' => ['GET', '/utilities/lookup', 'commission'],
        'payBill' => ['POST', '/utilities/pay', 'commission'],
        'findUtilityOrder' => ['GET', '/utilities/orders/{reference}', 'commission'],
    ];

    private const FINDERS = [
        'data' => 'findDataOrder',
        'airtime' => 'findAirtimeOrder',
        'bill' => 'findUtilityOrder',
        'afa' => 'findAfaOrder',
    ];

    /** `failed` is not among them: the refund follows, and then the status is `refunded`. */
    private const ENDINGS = ['completed', 'refunded', 'cancelled'];

    private readonly Connection $connection;

    /**
     * @param string $baseUrl where the API is, with its prefix: `https://shop.example.com/api/v2`
     * @param ?\Closure $onReference called with each reference that the client makes, its method and the order, before the
     *     order is sent: store it. When it throws, nothing is sent.
     */
    public function __construct(
        string $baseUrl,
        ?string $standardKey = null,
        ?string $commissionKey = null,
        ?string $smsKey = null,
        ?\Closure $onReference = null,
        float $timeoutSeconds = 30,
        float $deadlineSeconds = 120,
        float $firstWaitSeconds = 1,
        float $longestWaitSeconds = 60,
    ) {
        $this->connection = new Connection(
            $baseUrl,
            ['standard' => $standardKey, 'commission' => $commissionKey, 'sms' => $smsKey],
            compact('timeoutSeconds', 'deadlineSeconds', 'firstWaitSeconds', 'longestWaitSeconds'),
            $onReference,
        );
    }

    /** The role of the account, which decides its prices, and when it expires. */
    public function readAccountRole(array $options = []): array
    {
        return $this->read('readAccountRole', options: $options);
    }

    /** What the main wallet holds. */
    public function readWalletBalance(array $options = []): array
    {
        return $this->read('readWalletBalance', options: $options);
    }

    /** One page of the entries of a purse, newest first, each with the balance before and after it. */
    public function listWalletTransactions(array $query = [], array $options = []): array
    {
        return $this->read('listWalletTransactions', query: $query, options: $options);
    }

    /** All entries of a purse, page by page as you take them. */
    public function everyWalletTransaction(array $query = [], array $options = []): \Generator
    {
        for ($after = []; ; $after = ['after' => $page['next']]) {
            $page = $this->listWalletTransactions([...$query, ...$after], $options);
            foreach ($page['transactions'] as $row) {
                yield $row;
            }
            if ($page['next'] === null) {
                return;
            }
        }
    }

    /** One of your own calls, by the `X-Request-Id` of its answer. */
    public function readRequest(string $requestId, array $options = []): array
    {
        return $this->read('readRequest', path: $requestId, options: $options);
    }

    /** One page of the orders of all products, newest first. */
    public function listAllOrders(array $query = [], array $options = []): array
    {
        return $this->read('listAllOrders', query: $query, options: $options);
    }

    /** The orders of all products, page by page as you take them. */
    public function everyOrder(array $query = [], array $options = []): \Generator
    {
        for ($after = []; ; $after = ['after' => $page['next']]) {
            $page = $this->listAllOrders([...$query, ...$after], $options);
            foreach ($page['orders'] as $row) {
                yield $row;
            }
            if ($page['next'] === null) {
                return;
            }
        }
    }

    /** The data bundles on sale, at the price of your role. */
    public function listPackages(array $query = [], array $options = []): array
    {
        return $this->read('listPackages', query: $query, options: $options);
    }

    /** Buys a data bundle. Accepted is not yet delivered: see `waitUntilDone`. */
    public function purchaseData(array $order, array $options = []): array
    {
        return $this->place('purchaseData', $order, $options);
    }

    /** Buys up to 100 data bundles, all or none. Each has a reference of its own. */
    public function purchaseDataBatch(array $batch, array $options = []): array
    {
        $orders = array_map(fn (array $order) => $this->connection->withReference('purchaseDataBatch', $order), $batch['orders']);
        // The first reference stands for the batch in errors; each of its orders is repeated with its own.
        $reference = $orders[0]['reference'] ?? '';
        return $this->read('purchaseDataBatch', body: ['orders' => $orders], reference: $reference, options: $options);
    }

    /** Reads a data order by your reference or its id. */
    public function findDataOrder(string $reference, array $options = []): array
    {
        return $this->read('findDataOrder', path: $reference, options: $options);
    }

    /** Whether an MTN number is registered; submits it for registration if it is not. */
    public function verifyNumber(array $body, array $options = []): array
    {
        return $this->read('verifyNumber', body: $body, options: $options);
    }

    /** Whether an MTN number is registered on server 1. */
    public function verifyNumberOnServer1(array $body, array $options = []): array
    {
        return $this->read('verifyNumberOnServer1', body: $body, options: $options);
    }

    /** Whether an MTN number is registered on server 2. */
    public function verifyNumberOnServer2(array $body, array $options = []): array
    {
        return $this->read('verifyNumberOnServer2', body: $body, options: $options);
    }

    /** Buys airtime at face value. */
    public function purchaseAirtime(array $order, array $options = []): array
    {
        return $this->place('purchaseAirtime', $order, $options);
    }

    /** The 30 newest airtime orders. */
    public function listAirtimeOrders(array $options = []): array
    {
        return $this->read('listAirtimeOrders', options: $options);
    }

    /** Reads an airtime order by your reference or its id. */
    public function findAirtimeOrder(string $reference, array $options = []): array
    {
        return $this->read('findAirtimeOrder', path: $reference, options: $options);
    }

    /** The types of results-checker vouchers on sale, with the price of your role and the stock. */
    public function listVoucherTypes(array $options = []): array
    {
        return $this->read('listVoucherTypes', options: $options);
    }

    /** Buys results-checker vouchers. They are in the answer, and again in `recallVouchers`. */
    public function purchaseVouchers(array $order, array $options = []): array
    {
        return $this->place('purchaseVouchers', $order, $options);
    }

    /** The 30 newest orders of vouchers. */
    public function listVoucherOrders(array $options = []): array
    {
        return $this->read('listVoucherOrders', options: $options);
    }

    /** Reads an order of vouchers, with the vouchers. */
    public function recallVouchers(string $reference, array $options = []): array
    {
        return $this->read('recallVouchers', path: $reference, options: $options);
    }

    /**
     * Submits an AFA registration. The API refuses every reference that is taken, its own repeat too; after a lost answer
     * this method therefore looks the registration up, and its answer has no `new_balance`. Never use one reference for two
     * people.
     */
    public function registerAfa(array $applicant, array $options = []): array
    {
        $body = $this->connection->withReference('registerAfa', $applicant);
        $reference = $body['reference'];
        $answer = $this->connection->ask(self::ENDPOINTS['registerAfa'], body: $body, reference: $reference, options: $options);
        if ($answer->error === null) {
            return $answer->data;
        }
        if (!$answer->isAfterUnclearTry || !$answer->error instanceof ConflictError) {
            throw $answer->error;
        }
        $options = [...$options, 'isRepeat' => true];
        $found = $this->connection->ask(self::ENDPOINTS['findAfaOrder'], $reference, reference: $reference, options: $options);
        if ($found->error === null) {
            return ['order_id' => $found->data['id'], 'reference' => $reference, 'status' => $found->data['status']];
        }
        // Nobody but another account can have a reference that is taken and not found.
        throw $found->error instanceof NotFoundError ? $answer->error : $found->error;
    }

    /** The 30 newest AFA registrations. */
    public function listAfaOrders(array $options = []): array
    {
        return $this->read('listAfaOrders', options: $options);
    }

    /** Reads an AFA registration by your reference or its id. */
    public function findAfaOrder(string $reference, array $options = []): array
    {
        return $this->read('findAfaOrder', path: $reference, options: $options);
    }

    /** Sends a text to one number or up to 10,000. */
    public function sendSms(array $text, array $options = []): array
    {
        return $this->place('sendSms', $text, $options);
    }

    /** The names that your texts may come from. */
    public function listSmsSenders(array $options = []): array
    {
        return $this->read('listSmsSenders', options: $options);
    }

    /** One page of campaigns, 30 a page, newest first. */
    public function listSmsCampaigns(array $query = [], array $options = []): array
    {
        return $this->read('listSmsCampaigns', query: $query, options: $options);
    }

    /** All campaigns, newest first, page by page as you take them. */
    public function everySmsCampaign(array $query = [], array $options = []): \Generator
    {
        $readPage = fn (int $page) => $this->listSmsCampaigns([...$query, 'page' => $page], $options)['campaigns'];
        return self::readPages($readPage, 30);
    }

    /** One page of a campaign's messages, 100 a page. */
    public function listSmsMessages(string $campaignId, array $query = [], array $options = []): array
    {
        return $this->read('listSmsMessages', path: $campaignId, query: $query, options: $options);
    }

    /** All messages of a campaign, page by page as you take them. */
    public function everySmsMessage(string $campaignId, array $query = [], array $options = []): \Generator
    {
        $readPage = fn (int $page) => $this->listSmsMessages($campaignId, [...$query, 'page' => $page], $options)['messages'];
        return self::readPages($readPage, 100);
    }

    /** One page of the numbers that have opted out of your campaigns. */
    public function listSmsOptOuts(array $query = [], array $options = []): array
    {
        return $this->read('listSmsOptOuts', query: $query, options: $options);
    }

    /** All numbers that have opted out, page by page as you take them. */
    public function everySmsOptOut(array $options = []): \Generator
    {
        for ($query = []; ; $query = ['after' => $page['next']]) {
            $page = $this->listSmsOptOuts($query, $options);
            foreach ($page['numbers'] as $number) {
                yield $number;
            }
            if ($page['next'] === null) {
                return;
            }
        }
    }

    /** Leaves numbers out of your campaigns. */
    public function addSmsOptOuts(array $body, array $options = []): array
    {
        return $this->read('addSmsOptOuts', body: $body, options: $options);
    }

    /** Lets campaigns reach numbers again. */
    public function removeSmsOptOuts(array $body, array $options = []): array
    {
        return $this->read('removeSmsOptOuts', body: $body, options: $options);
    }

    /** The SMS credits. */
    public function readSmsBalance(array $options = []): array
    {
        return $this->read('readSmsBalance', options: $options);
    }

    /** The billers, with the least and the most that one payment may be. */
    public function listBillers(array $options = []): array
    {
        return $this->read('listBillers', options: $options);
    }

    /** Whose account, meter or smartcard it is, and what is due. */
    public function lookUpBillAccount(array $query, array $options = []): array
    {
        return $this->read('lookUpBillAccount', query: $query, options: $options);
    }

    /** Pays a bill. The answer's `reference` is the one that `findUtilityOrder` takes; yours only makes repeats safe. */
    public function payBill(array $payment, array $options = []): array
    {
        return $this->place('payBill', $payment, $options);
    }

    /** Reads a payment by the reference of the answer of `payBill`. */
    public function findUtilityOrder(string $reference, array $options = []): array
    {
        return $this->read('findUtilityOrder', path: $reference, options: $options);
    }

    /**
     * Waits until an order has ended: asks every 2 seconds at first, later every minute.
     *
     * @param string $reference as in the answer of the purchase
     * @param string $product `data`, `airtime`, `bill` or `afa`
     * @return array<string, mixed> the order as it has ended: look at its `status`
     * @throws StillOpenError when it has not ended by then: it is still on its way
     */
    public function waitUntilDone(string $reference, string $product = 'data', float $waitSeconds = 600): array
    {
        $endsAt = microtime(true) + $waitSeconds;
        for ($wait = 2; ; $wait = min($wait * 1.5, 60)) {
            $left = ['deadlineSeconds' => max(1, $endsAt - microtime(true))];
            $answer = $this->connection->ask(self::ENDPOINTS[self::FINDERS[$product]], $reference, options: $left);
            if ($answer->error !== null && !self::mayAnswerLater($answer->error)) {
                throw $answer->error;
            }
            $status = $answer->data['status'] ?? null;
            if (in_array($status, self::ENDINGS, true)) {
                return $answer->data;
            }
            if (microtime(true) + $wait >= $endsAt) {
                $message = 'The order is ' . ($status ?? 'not read') . " after $waitSeconds seconds.";
                throw new StillOpenError($message, 'still_open', reference: $reference);
            }
            Connection::sleep($wait);
        }
    }

    private static function mayAnswerLater(MakolaError $error): bool
    {
        return $error instanceof UnavailableError && $error->reason !== 'untrusted_certificate';
    }

    private function read(
        string $name,
        string $path = '',
        array $query = [],
        ?array $body = null,
        ?string $reference = null,
        array $options = [],
    ): array {
        $answer = $this->connection->ask(self::ENDPOINTS[$name], $path, $query, $body, $reference, $options);
        if ($answer->error !== null) {
            throw $answer->error;
        }
        return $answer->data;
    }

    private function place(string $name, array $order, array $options): array
    {
        $body = $this->connection->withReference($name, $order);
        return $this->read($name, body: $body, reference: $body['reference'], options: $options);
    }

    /** Of a list that grows meanwhile, a row that has moved to the next page is given once. */
    private static function readPages(\Closure $readPage, int $rowsPerPage): \Generator
    {
        $before = [];
        for ($page = 0; ; $page++) {
            $rows = $readPage($page);
            $names = array_map(fn (array $row) => (string) ($row['id'] ?? json_encode($row)), $rows);
            foreach ($rows as $index => $row) {
                if (!isset($before[$names[$index]])) {
                    yield $row;
                }
            }
            if (count($rows) < $rowsPerPage) {
                return;
            }
            $before = array_fill_keys($names, true);
        }
    }
}
