"""The bot of the guide in Python, with the standard library alone: webhooks, their signature, a button and a form.

BASE_URL=http://127.0.0.1:8090/v1 OWNER_TOKEN=... python3 examples/echo_bot.py
"""
import base64
import hashlib
import hmac
import json
import os
import time
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BASE_URL = os.environ["BASE_URL"]
TOKEN = os.environ.get("BOT_TOKEN")
SECRET = os.environ.get("SIGNING_SECRET")


def call(method, path, body=None, token=None):
    """Calls the API. The key makes it safe to send the same request again after a network fault."""
    headers = {
        "Authorization": f"Bearer {token or TOKEN}",
        "Content-Type": "application/json",
        "Idempotency-Key": str(uuid.uuid4()),
    }
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(BASE_URL + path, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=30) as answer:
        text = answer.read()
        return json.loads(text) if text else None


def say(chat_id, content, buttons=None):
    message = {"entity_id": chat_id, "content": content, "buttons": buttons or []}
    return call("POST", "/messages", {"message": message})


def is_signed(headers, body):
    """Standard Webhooks: HMAC-SHA256 over id, time and body; two signatures while the secret is being replaced."""
    stamp = headers.get("webhook-timestamp", "")
    if not stamp.isdigit() or abs(time.time() - int(stamp)) > 300:
        return False
    signed = f"{headers.get('webhook-id')}.{stamp}.".encode() + body
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    wanted = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(wanted, given) for given in headers.get("webhook-signature", "").split())


FORM = {
    "title": "Echo",
    "blocks": [{"type": "input", "name": "text", "label": "Say something", "required": True}],
}


def handle(event):
    """What to do about an event; texts by field name send a form back."""
    if event["type"] == "message" and event["event"] == "new":
        say(event["chat_id"], "Hello! What shall I say?", [[{"text": "Say it", "data": "ask"}]])
    elif event["type"] == "button":
        call("POST", "/views/open", {"type": "modal", "trigger_id": event["trigger_id"], "view": FORM})
    elif event["type"] == "view_submit":
        if event["data"]["text"] == "nothing":
            return {"errors": {"text": "Anything but that"}}
        say(event["chat_id"], event["data"]["text"])
    return None


class Webhooks(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not is_signed(self.headers, body):
            return self.answer(401, {})
        wrong = handle(json.loads(body))
        self.answer(400 if wrong else 200, wrong or {})

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_):
        pass


if TOKEN is None:
    settings = {
        "name": "Echo",
        "events": ["message_new", "button_click"],
        "commands": ["/hello"],
        "ignore_self_messages": True,
    }
    bot = call("POST", "/bots", {"webhook": settings}, os.environ["OWNER_TOKEN"])["data"]
    TOKEN, SECRET = bot["access_token"], bot["signing_secret"]
    print(f"bot {bot['id']}: BOT_TOKEN={TOKEN} SIGNING_SECRET={SECRET}", flush=True)

server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Webhooks)
url = f"http://127.0.0.1:{server.server_port}"
call("PUT", "/bot/webhook", {"webhook": {"outgoing_url": url}})
print(f"listening at {url}", flush=True)
server.serve_forever()
