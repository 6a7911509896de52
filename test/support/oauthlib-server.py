"""An authorization server of OAuthLib (Debian: python3-oauthlib) with an API, on a free port.

It demands PKCE with S256 and HTTP Basic, rotates refresh tokens, and revokes tokens. The first line
of its output is its URL. GET /requests lists what it was asked and how it answered.
"""

import base64
import json
import os
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
from oauthlib.oauth2 import OAuth2Error, RequestValidator, WebApplicationServer  # noqa: E402

CLIENT_ID = "pack"
# Characters that form-encoding changes.
CLIENT_SECRET = "s+e c/r:e=t%1"
SCOPES = ["docs:read", "docs:write"]

lock = threading.Lock()
codes = {}
access_tokens = {}
refresh_tokens = {}
requests = []


class Client:
    client_id = CLIENT_ID


class Validator(RequestValidator):
    def validate_client_id(self, client_id, request, *args, **kwargs):
        request.client = Client()
        return client_id == CLIENT_ID

    def validate_redirect_uri(self, client_id, redirect_uri, request, *args, **kwargs):
        url = urllib.parse.urlsplit(redirect_uri)
        return url.scheme == "http" and url.hostname == "127.0.0.1" and not url.query

    def get_default_redirect_uri(self, client_id, request, *args, **kwargs):
        return None

    def validate_scopes(self, client_id, scopes, client, request, *args, **kwargs):
        return set(scopes) <= set(SCOPES)

    def get_default_scopes(self, client_id, request, *args, **kwargs):
        return SCOPES[:1]

    def validate_response_type(self, client_id, response_type, client, request, *args, **kwargs):
        return response_type == "code"

    def is_pkce_required(self, client_id, request):
        return True

    def get_code_challenge(self, code, request):
        return codes.get(code, {}).get("code_challenge")

    def get_code_challenge_method(self, code, request):
        return codes.get(code, {}).get("code_challenge_method")

    def save_authorization_code(self, client_id, code, request, *args, **kwargs):
        codes[code["code"]] = {
            "redirect_uri": request.redirect_uri,
            "scopes": request.scopes,
            "code_challenge": request.code_challenge,
            "code_challenge_method": request.code_challenge_method,
        }

    def client_authentication_required(self, request, *args, **kwargs):
        return True

    def authenticate_client(self, request, *args, **kwargs):
        request.client = Client()
        kind, _, text = request.headers.get("Authorization", "").partition(" ")
        if kind != "Basic" or "client_secret" in dict(request.decoded_body or []):
            return False
        user, _, password = base64.b64decode(text).decode().partition(":")
        return [urllib.parse.unquote_plus(user), urllib.parse.unquote_plus(password)] == [
            CLIENT_ID,
            CLIENT_SECRET,
        ]

    def authenticate_client_id(self, client_id, request, *args, **kwargs):
        return False

    def validate_code(self, client_id, code, client, request, *args, **kwargs):
        if code not in codes:
            return False
        request.scopes = codes[code]["scopes"]
        return True

    def confirm_redirect_uri(self, client_id, code, redirect_uri, client, request, *args, **kwargs):
        return codes[code]["redirect_uri"] == redirect_uri

    def validate_grant_type(self, client_id, grant_type, client, request, *args, **kwargs):
        return grant_type in ("authorization_code", "refresh_token")

    def invalidate_authorization_code(self, client_id, code, request, *args, **kwargs):
        codes.pop(code, None)

    def save_bearer_token(self, token, request, *args, **kwargs):
        if request.grant_type == "refresh_token":
            refresh_tokens.pop(request.refresh_token, None)
        scopes = token["scope"].split()
        access_tokens[token["access_token"]] = scopes
        refresh_tokens[token["refresh_token"]] = scopes

    def validate_refresh_token(self, refresh_token, client, request, *args, **kwargs):
        return refresh_token in refresh_tokens

    def get_original_scopes(self, refresh_token, request, *args, **kwargs):
        return refresh_tokens[refresh_token]

    def rotate_refresh_token(self, request):
        return True

    def revoke_token(self, token, token_type_hint, request, *args, **kwargs):
        if refresh_tokens.pop(token, None) is not None:
            access_tokens.clear()
        access_tokens.pop(token, None)

    def validate_bearer_token(self, token, scopes, request):
        return token in access_tokens and set(scopes) <= set(access_tokens[token])


server = WebApplicationServer(Validator(), token_expires_in=3600)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def answer(self):
        path = urllib.parse.urlsplit(self.path).path
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length).decode()
        headers = dict(self.headers.items())
        uri = f"http://127.0.0.1:{self.server.server_port}{self.path}"
        with lock:
            status, sent, text = self.route(path, uri, body, headers)
            if path != "/requests":
                grant = urllib.parse.parse_qs(body).get("grant_type", [""])[0]
                requests.append([path, grant, status])
        data = (text or "").encode()
        self.send_response(status)
        for name, value in sent.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = answer

    def route(self, path, uri, body, headers):
        method = self.command
        if path == "/authorize":
            try:
                scopes, credentials = server.validate_authorization_request(uri, method, body, headers)
                sent, text, status = server.create_authorization_response(
                    uri, method, body, headers, scopes, credentials
                )
                return status, sent, text
            except OAuth2Error as error:
                return 400, {"Content-Type": "text/plain"}, f"{error.error}: {error.description}"
        if path == "/token":
            sent, text, status = server.create_token_response(uri, method, body, headers)
            return status, sent, text
        if path == "/revoke":
            sent, text, status = server.create_revocation_response(uri, method, body, headers)
            return status, sent, text
        if path == "/me":
            valid, _ = server.verify_request(uri, method, body, headers, ["docs:read"])
            kind = {"Content-Type": "application/json"}
            return (200, kind, '{"name": "OAuthLib user"}') if valid else (401, kind, "{}")
        if path == "/requests":
            return 200, {"Content-Type": "application/json"}, json.dumps(requests)
        return 404, {}, ""


listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{listener.server_port}", flush=True)
listener.serve_forever()
