# python3 buy-with-retries.py REFERENCE
import json, os, random, sys, time, urllib.error, urllib.parse, urllib.request

API = "https://localhost:8443/api/v2"
reference = sys.argv[1] if len(sys.argv) > 1 else "order-2026-0001"
order = {"network": "MTN", "volume_gb": 1, "recipient": "0241234567", "reference": reference}


def ask(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": os.environ["MAKOLA_KEY"], "Content-Type": "application/json"}
    wait = 1
    while True:
        retry_after = None
        try:
            request = urllib.request.Request(API + path, data=data, headers=headers)
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)["data"]
        except urllib.error.HTTPError as refusal:
            # A 4xx charges nothing, and only 429 passes by itself. After 401 or 403 keep the reference:
            # an earlier try may have paid.
            if refusal.code < 500 and refusal.code != 429:
                raise SystemExit(f"{refusal.code}: {json.load(refusal)['error']['message']}")
            retry_after = refusal.headers.get("Retry-After")
        except (OSError, ValueError):
            pass  # No answer, or half of one: the same request again.
        time.sleep(float(retry_after or wait * random.uniform(0.5, 1)))
        wait = min(wait * 2, 60)


placed = ask("/data/purchase", order)
while placed["status"] in ("queued", "pending", "processing"):
    time.sleep(2)
    placed = ask("/orders/" + urllib.parse.quote(reference, safe=""))
print(placed["reference"], placed["status"])
