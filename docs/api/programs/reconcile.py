# python3 reconcile.py 2026-01-15 own-orders.json
import json, os, sys
from datetime import date, timedelta
from makola_client import MakolaClient

day, file = sys.argv[1:]
makola = MakolaClient("https://localhost:8443/api/v2", standard_key=os.environ["MAKOLA_KEY"])

# What your own books have of that day: {"order-2026-0001": {"status": "completed", "price": 5.2}}
with open(file, encoding="utf-8") as books:
    mine = json.load(books)
next_day = date.fromisoformat(day) + timedelta(days=1)
during = {"created_from": f"{day}T00:00:00Z", "created_before": f"{next_day}T00:00:00Z"}


def pesewas(amount):
    return round(amount * 100)


differences = []
theirs = {order["reference"]: order for order in makola.every_order(during)}
for reference in mine.keys() | theirs.keys():
    yours, ours = mine.get(reference), theirs.get(reference)
    if ours is None:
        differences.append(f"{reference}: only in your books, so nothing was charged that day")
    elif yours is None:
        differences.append(f"{reference}: only here, {ours['status']} {ours['price']}")
    elif (yours["status"], pesewas(yours["price"])) != (ours["status"], pesewas(ours["price"])):
        in_books, here = f"{yours['status']} {yours['price']}", f"{ours['status']} {ours['price']}"
        differences.append(f"{reference}: {in_books} in your books, {here} here")

# The wallet, newest first: no number is missing, and each balance goes on from the one before.
newer = None
for entry in makola.every_wallet_transaction(during):
    if newer and (entry["transaction_no"] + 1, entry["balance_after"]) != (newer["transaction_no"], newer["balance_before"]):
        differences.append(f"wallet: between {entry['transaction_no']} and {newer['transaction_no']}")
    newer = entry

for difference in differences:
    print(difference)
print(f"{day}: {len(theirs)} orders, {len(differences)} differences")
sys.exit(1 if differences else 0)
