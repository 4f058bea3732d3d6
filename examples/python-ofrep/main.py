"""A web server whose answers follow feature flags, with OpenFeature over OFREP."""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext

URL = os.environ.get("BURGEE_URL", "http://localhost:3000")
SDK_KEY = os.environ["BURGEE_SDK_KEY"]
PORT = int(os.environ.get("PORT", "4006"))

# The server evaluates. The provider asks it for each flag, with a kept connection.
api.set_provider(OFREPProvider(URL, headers_factory=lambda: {"Authorization": f"Bearer {SDK_KEY}"}))
flags = api.get_client()


class Shop(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        query = dict(parse_qsl(urlsplit(self.path).query))
        user = EvaluationContext(query.get("user"), {"plan": query.get("plan", "free")})
        # The second argument is the fallback, for an unknown flag and an unavailable server.
        is_new = flags.get_boolean_value("new-checkout", False, user)
        answer = {
            "checkout": "new" if is_new else "old",
            "theme": flags.get_string_value("theme", "light", user),
        }
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


with ThreadingHTTPServer(("localhost", PORT), Shop) as server:
    print(f"Python listens on http://localhost:{PORT}", flush=True)
    server.serve_forever()
