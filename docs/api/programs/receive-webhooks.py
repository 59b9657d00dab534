# WEBHOOK_SECRET=whsec_… PORT=8080 python3 receive-webhooks.py
import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

secret = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
os.makedirs("events", exist_ok=True)


def is_genuine(headers, body):
    at = headers.get("webhook-timestamp", "")
    if not (at.isascii() and at.isdigit()) or abs(time.time() - int(at)) > 300:
        return False
    signed = f"{headers.get('webhook-id')}.{at}.".encode() + body
    wanted = "v1," + base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(wanted.encode(), each) for each in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not is_genuine(self.headers, body):
            return self.answer(400)
        try:
            # Stored under its id before the answer. The folder stands for a table of yours; work on it afterwards.
            with open(f"events/{self.headers['webhook-id']}.json", "xb") as file:
                file.write(body)
            event = json.loads(body)
            print(event["type"], event["data"].get("reference", ""), flush=True)
        except FileExistsError:
            pass  # It came before. Nothing is done a second time.
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


print("Waiting for events", flush=True)
ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()
