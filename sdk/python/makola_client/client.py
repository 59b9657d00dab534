"""The reseller API of one installation."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .connection import Connection, Patience, Refused
from .errors import ConflictError, MakolaError, NotFoundError, StillOpenError, UnavailableError

Body = Mapping[str, Any]
Query = Mapping[str, Any] | None

# Where each endpoint is, and the key that it takes.
_ENDPOINTS = {
    "read_account_role": ("GET", "/account/role", "standard"),
    "read_wallet_balance": ("GET", "/wallet/balance", "standard"),
    "list_wallet_transactions": ("GET", "/wallet/transactions", "standard"),
    "read_request": ("GET", "/requests/{request_id}", "standard"),
    "list_all_orders": ("GET", "/orders", "standard"),
    "list_packages": ("GET", "/packages", "standard"),
    "purchase_data": ("POST", "/data/purchase", "standard"),
    "purchase_data_batch": ("POST", "/data/bulk", "standard"),
    "find_data_order": ("GET", "/orders/{reference}", "standard"),
    "verify_number": ("POST", "/data/verify-number", "standard"),
    "verify_number_on_server1": ("POST", "/data/verify-number/server-1", "standard"),
    "verify_number_on_server2": ("POST", "/data/verify-number/server-2", "standard"),
    "purchase_airtime": ("POST", "/airtime/purchase", "commission"),
    "list_airtime_orders": ("GET", "/airtime/orders", "commission"),
    "find_airtime_order": ("GET", "/airtime/orders/{reference}", "commission"),
    "list_voucher_types": ("GET", "/resultschecker/types", "standard"),
    "purchase_vouchers": ("POST", "/resultschecker/purchase", "standard"),
    "list_voucher_orders": ("GET", "/resultschecker/orders", "standard"),
    "recall_vouchers": ("GET", "/resultschecker/orders/{reference}", "standard"),
    "register_afa": ("POST", "/afa/register", "standard"),
    "list_afa_orders": ("GET", "/afa/orders", "standard"),
    "find_afa_order": ("GET", "/afa/orders/{reference}", "standard"),
    "send_sms": ("POST", "/sms/send", "sms"),
    "list_sms_senders": ("GET", "/sms/senders", "sms"),
    "list_sms_campaigns": ("GET", "/sms/campaigns", "sms"),
    "list_sms_messages": ("GET", "/sms/messages/{id}", "sms"),
    "list_sms_opt_outs": ("GET", "/sms/opt-outs", "sms"),
    "add_sms_opt_outs": ("POST", "/sms/opt-outs", "sms"),
    "remove_sms_opt_outs": ("POST", "/sms/opt-outs/remove", "sms"),
    "read_sms_balance": ("GET", "/sms/balance", "sms"),
    "list_billers": ("GET", "/utilities/billers", "commission"),
    "look_up_bill_account": ("GET", "/utilities/lookup", "commission"),
    "pay_bill": ("POST", "/utilities/pay", "commission"),
    "find_utility_order": ("GET", "/utilities/orders/{reference}", "commission"),
}

_FINDERS = {
    "data": "find_data_order",
    "airtime": "find_airtime_order",
    "bill": "find_utility_order",
    "afa": "find_afa_order",
}

# `failed` is not among them: the refund follows, and then the status is `refunded`.
_ENDINGS = ("completed", "refunded", "cancelled")


class MakolaClient:
    """Calls the reseller API. Amounts are in GHS with at most two decimals.

    Calls that cost money are repeated with the same reference until the outcome is known or the deadline is over, so
    that an order exists at most once and is paid at most once. They raise `RefusedError` or `UnavailableError` when this
    call charged nothing, and `UnclearError` when nobody can know: then repeat the same reference with `is_repeat=True`.

    Every method takes `timeout_seconds` and `deadline_seconds` too.

    :param base_url: where the API is, with its prefix: `https://shop.example.com/api/v2`
    :param on_reference: called with each reference that the client makes, its method and the order, before the order is
        sent: store it. When it raises, nothing is sent.
    """

    def __init__(
        self,
        base_url: str,
        *,
        standard_key: str | None = None,
        commission_key: str | None = None,
        sms_key: str | None = None,
        on_reference: Callable[[str, str, dict[str, Any]], None] | None = None,
        timeout_seconds: float = 30,
        deadline_seconds: float = 120,
        first_wait_seconds: float = 1,
        longest_wait_seconds: float = 60,
    ):
        keys = {"standard": standard_key, "commission": commission_key, "sms": sms_key}
        patience = Patience(timeout_seconds, deadline_seconds, first_wait_seconds, longest_wait_seconds)
        self._connection = Connection(base_url, keys, patience, on_reference)

    def _read(self, name: str, **request: Any) -> Any:
        return self._connection.read(_ENDPOINTS[name], **request)

    def _place(self, name: str, order: Body, options: dict[str, Any]) -> Any:
        body = self._connection.with_reference(name, order)
        return self._read(name, body=body, reference=body["reference"], **options)

    def read_account_role(self, **options: Any) -> dict[str, Any]:
        """The role of the account, which decides its prices, and when it expires."""
        return self._read("read_account_role", **options)

    def read_wallet_balance(self, **options: Any) -> dict[str, Any]:
        """What the main wallet holds."""
        return self._read("read_wallet_balance", **options)

    def list_wallet_transactions(self, query: Query = None, **options: Any) -> dict[str, Any]:
        """One page of the entries of a purse, newest first, each with the balance before and after it."""
        return self._read("list_wallet_transactions", query=query, **options)

    def every_wallet_transaction(self, query: Query = None, **options: Any) -> Iterator[dict[str, Any]]:
        """All entries of a purse, page by page as you take them."""
        after = None
        while True:
            page = self.list_wallet_transactions({**(query or {}), "after": after}, **options)
            yield from page["transactions"]
            after = page["next"]
            if after is None:
                return

    def read_request(self, request_id: str, **options: Any) -> dict[str, Any]:
        """One of your own calls, by the `X-Request-Id` of its answer."""
        return self._read("read_request", path=request_id, **options)

    def list_all_orders(self, query: Query = None, **options: Any) -> dict[str, Any]:
        """One page of the orders of all products, newest first."""
        return self._read("list_all_orders", query=query, **options)

    def every_order(self, query: Query = None, **options: Any) -> Iterator[dict[str, Any]]:
        """The orders of all products, page by page as you take them."""
        after = None
        while True:
            page = self.list_all_orders({**(query or {}), "after": after}, **options)
            yield from page["orders"]
            after = page["next"]
            if after is None:
                return

    def list_packages(self, query: Query = None, **options: Any) -> dict[str, Any]:
        """The data bundles on sale, at the price of your role."""
        return self._read("list_packages", query=query, **options)

    def purchase_data(self, order: Body, **options: Any) -> dict[str, Any]:
        """Buys a data bundle. Accepted is not yet delivered: see `wait_until_done`."""
        return self._place("purchase_data", order, options)

    def purchase_data_batch(self, batch: Body, **options: Any) -> dict[str, Any]:
        """Buys up to 100 data bundles, all or none. Each has a reference of its own."""
        orders = [self._connection.with_reference("purchase_data_batch", order) for order in batch["orders"]]
        # The first reference stands for the batch in errors; each of its orders is repeated with its own.
        reference = orders[0]["reference"] if orders else ""
        return self._read("purchase_data_batch", body={"orders": orders}, reference=reference, **options)

    def find_data_order(self, reference: str, **options: Any) -> dict[str, Any]:
        """Reads a data order by your reference or its id."""
        return self._read("find_data_order", path=reference, **options)

    def verify_number(self, body: Body, **options: Any) -> dict[str, Any]:
        """Whether an MTN number is registered; submits it for registration if it is not."""
        return self._read("verify_number", body=body, **options)

    def verify_number_on_server1(self, body: Body, **options: Any) -> dict[str, Any]:
        """Whether an MTN number is registered on server 1."""
        return self._read("verify_number_on_server1", body=body, **options)

    def verify_number_on_server2(self, body: Body, **options: Any) -> dict[str, Any]:
        """Whether an MTN number is registered on server 2."""
        return self._read("verify_number_on_server2", body=body, **options)

    def purchase_airtime(self, order: Body, **options: Any) -> dict[str, Any]:
        """Buys airtime at face value."""
        return self._place("purchase_airtime", order, options)

    def list_airtime_orders(self, **options: Any) -> dict[str, Any]:
        """The 30 newest airtime orders."""
        return self._read("list_airtime_orders", **options)

    def find_airtime_order(self, reference: str, **options: Any) -> dict[str, Any]:
        """Reads an airtime order by your reference or its id."""
        return self._read("find_airtime_order", path=reference, **options)

    def list_voucher_types(self, **options: Any) -> dict[str, Any]:
        """The types of results-checker vouchers on sale, with the price of your role and the stock."""
        return self._read("list_voucher_types", **options)

    def purchase_vouchers(self, order: Body, **options: Any) -> dict[str, Any]:
        """Buys results-checker vouchers. They are in the answer, and again in `recall_vouchers`."""
        return self._place("purchase_vouchers", order, options)

    def list_voucher_orders(self, **options: Any) -> dict[str, Any]:
        """The 30 newest orders of vouchers."""
        return self._read("list_voucher_orders", **options)

    def recall_vouchers(self, reference: str, **options: Any) -> dict[str, Any]:
        """Reads an order of vouchers, with the vouchers."""
        return self._read("recall_vouchers", path=reference, **options)

    def register_afa(self, applicant: Body, **options: Any) -> dict[str, Any]:
        """Submits an AFA registration.

        The API refuses every reference that is taken, its own repeat too; after a lost answer this method therefore
        looks the registration up, and its answer has no `new_balance`. Never use one reference for two people.
        """
        body = self._connection.with_reference("register_afa", applicant)
        reference = body["reference"]
        answer = self._connection.ask(_ENDPOINTS["register_afa"], body=body, reference=reference, **options)
        if not isinstance(answer, Refused):
            return answer
        if not answer.is_after_unclear_try or not isinstance(answer.error, ConflictError):
            raise answer.error
        options = {**options, "is_repeat": True}
        found = self._connection.ask(_ENDPOINTS["find_afa_order"], path=reference, reference=reference, **options)
        if not isinstance(found, Refused):
            return {"order_id": found["id"], "reference": reference, "status": found["status"]}
        # Nobody but another account can have a reference that is taken and not found.
        raise answer.error if isinstance(found.error, NotFoundError) else found.error

    def list_afa_orders(self, **options: Any) -> dict[str, Any]:
        """The 30 newest AFA registrations."""
        return self._read("list_afa_orders", **options)

    def find_afa_order(self, reference: str, **options: Any) -> dict[str, Any]:
        """Reads an AFA registration by your reference or its id."""
        return self._read("find_afa_order", path=reference, **options)

    def send_sms(self, text: Body, **options: Any) -> dict[str, Any]:
        """Sends a text to one number or up to 10,000."""
        return self._place("send_sms", text, options)

    def list_sms_senders(self, **options: Any) -> dict[str, Any]:
        """The names that your texts may come from."""
        return self._read("list_sms_senders", **options)

    def list_sms_campaigns(self, query: Query = None, **options: Any) -> dict[str, Any]:
        """One page of campaigns, 30 a page, newest first."""
        return self._read("list_sms_campaigns", query=query, **options)

    def every_sms_campaign(self, query: Query = None, **options: Any) -> Iterator[dict[str, Any]]:
        """All campaigns, newest first, page by page as you take them."""

        def read_page(page: int) -> list[dict[str, Any]]:
            return self.list_sms_campaigns({**(query or {}), "page": page}, **options)["campaigns"]

        return _read_pages(read_page, 30)

    def list_sms_messages(self, campaign_id: str, query: Query = None, **options: Any) -> dict[str, Any]:
        """One page of a campaign's messages, 100 a page."""
        return self._read("list_sms_messages", path=campaign_id, query=query, **options)

    def every_sms_message(self, campaign_id: str, query: Query = None, **options: Any) -> Iterator[dict[str, Any]]:
        """All messages of a campaign, page by page as you take them."""

        def read_page(page: int) -> list[dict[str, Any]]:
            return self.list_sms_messages(campaign_id, {**(query or {}), "page": page}, **options)["messages"]

        return _read_pages(read_page, 100)

    def list_sms_opt_outs(self, query: Query = None, **options: Any) -> dict[str, Any]:
        """One page of the numbers that have opted out of your campaigns."""
        return self._read("list_sms_opt_outs", query=query, **options)

    def every_sms_opt_out(self, **options: Any) -> Iterator[str]:
        """All numbers that have opted out, page by page as you take them."""
        after = None
        while True:
            page = self.list_sms_opt_outs({"after": after}, **options)
            yield from page["numbers"]
            after = page["next"]
            if after is None:
                return

    def add_sms_opt_outs(self, body: Body, **options: Any) -> dict[str, Any]:
        """Leaves numbers out of your campaigns."""
        return self._read("add_sms_opt_outs", body=body, **options)

    def remove_sms_opt_outs(self, body: Body, **options: Any) -> dict[str, Any]:
        """Lets campaigns reach numbers again."""
        return self._read("remove_sms_opt_outs", body=body, **options)

    def read_sms_balance(self, **options: Any) -> dict[str, Any]:
        """The SMS credits."""
        return self._read("read_sms_balance", **options)

    def list_billers(self, **options: Any) -> dict[str, Any]:
        """The billers, with the least and the most that one payment may be."""
        return self._read("list_billers", **options)

    def look_up_bill_account(self, query: Body, **options: Any) -> dict[str, Any]:
        """Whose account, meter or smartcard it is, and what is due."""
        return self._read("look_up_bill_account", query=query, **options)

    def pay_bill(self, payment: Body, **options: Any) -> dict[str, Any]:
        """Pays a bill. The answer's `reference` is the one that `find_utility_order` takes; yours only makes repeats safe."""
        return self._place("pay_bill", payment, options)

    def find_utility_order(self, reference: str, **options: Any) -> dict[str, Any]:
        """Reads a payment by the reference of the answer of `pay_bill`."""
        return self._read("find_utility_order", path=reference, **options)

    def wait_until_done(self, reference: str, product: str = "data", wait_seconds: float = 600) -> dict[str, Any]:
        """Waits until an order has ended: asks every 2 seconds at first, later every minute.

        :param reference: as in the answer of the purchase
        :param product: `data`, `airtime`, `bill` or `afa`
        :returns: the order as it has ended: look at its `status`
        :raises StillOpenError: when it has not ended by then: it is still on its way
        """
        ends_at = time.monotonic() + wait_seconds
        endpoint = _ENDPOINTS[_FINDERS[product]]
        wait = 2.0
        while True:
            left = max(1.0, ends_at - time.monotonic())
            answer = self._connection.ask(endpoint, path=reference, deadline_seconds=left)
            if isinstance(answer, Refused) and not _may_answer_later(answer.error):
                raise answer.error
            status = None if isinstance(answer, Refused) else answer["status"]
            if status in _ENDINGS:
                return answer
            if time.monotonic() + wait >= ends_at:
                message = f"The order is {status or 'not read'} after {wait_seconds} seconds."
                raise StillOpenError(message, reason="still_open", reference=reference)
            time.sleep(wait)
            wait = min(wait * 1.5, 60)


def _may_answer_later(error: MakolaError) -> bool:
    return isinstance(error, UnavailableError) and error.reason != "untrusted_certificate"


def _read_pages(read_page: Callable[[int], list[dict[str, Any]]], rows_per_page: int) -> Iterator[dict[str, Any]]:
    """Of a list that grows meanwhile, a row that has moved to the next page is given once."""
    before: set[str] = set()
    page = 0
    while True:
        rows = read_page(page)
        names = [str(row["id"]) if "id" in row else repr(row) for row in rows]
        yield from (row for name, row in zip(names, rows) if name not in before)
        if len(rows) < rows_per_page:
            return
        before = set(names)
        page += 1
