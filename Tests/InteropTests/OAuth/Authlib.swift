import Errand
import ErrandAuth

/// An authorization server and an API built with Authlib and Flask: clients, codes, PKCE, devices, and refresh tokens
/// that each refresh replaces.
///
/// All tests share one server, which ends after them. Each test has its own tokens.
struct Authlib: Sendable {
    /// The URL of the server.
    let url: URL
    private let process: ServerProcess

    static let shared = Task { try await Authlib() }

    private init() async throws {
        let (process, port) = try await ServerProcess.onFreePort(.authlib, readyWhen: "ready") { port in
            ["-u", "-c", Self.program, "\(port)", Self.secret]
        }
        url = try URL.of("http://127.0.0.1:\(port)")
        self.process = process
    }

    /// The endpoints.
    var endpoints: OAuthServer {
        OAuthServer(
            issuer: "https://id.example.com", tokenEndpoint: "\(url)/token", authorizationEndpoint: "\(url)/authorize",
            deviceAuthorizationEndpoint: "\(url)/device")
    }

    /// The secret of the confidential clients, with all characters that must be encoded.
    static let secret = "p:a%s wörd+&="

    /// Authlib validates all requests. This program implements only what Authlib leaves to its users. Requests without
    /// TLS need the environment variable. The server ends with the process that started it.
    private static let program = """
        import logging, os, sys, threading, time
        os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
        from flask import Flask, request
        from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector
        from authlib.oauth2 import OAuth2Error
        from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, grants
        from authlib.oauth2.rfc6750 import BearerTokenValidator
        from authlib.oauth2.rfc7636 import CodeChallenge
        from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant, DeviceCredentialDict
        from authlib.oauth2.rfc9207 import IssuerParameter

        DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        clients, tokens, codes, devices, answers, polls = {}, [], {}, {}, {}, {}

        class User:
            id = 1

            def get_user_id(self):
                return self.id

        user = User()

        class Client(ClientMixin):
            def __init__(self, id, secret, method):
                self.id, self.secret, self.method = id, secret, method
                clients[id] = self

            def get_client_id(self):
                return self.id

            def get_default_redirect_uri(self):
                return None

            def get_allowed_scope(self, scope):
                return " ".join(word for word in (scope or "").split() if word in ("books", "loans"))

            def check_redirect_uri(self, uri):
                return uri == "com.example.library:/in"

            def check_client_secret(self, secret):
                return secret == self.secret

            def check_endpoint_auth_method(self, method, endpoint):
                return method == self.method

            def check_response_type(self, type):
                return type == "code"

            def check_grant_type(self, type):
                return self.id != "powerless"

        class Token(TokenMixin):
            def __init__(self, token, client):
                self.values, self.client, self.revoked = token, client, False
                self.end = time.time() + token["expires_in"]

            def check_client(self, client):
                return self.client is client

            def get_scope(self):
                return self.values.get("scope", "")

            def get_expires_in(self):
                return self.values["expires_in"]

            def is_expired(self):
                return time.time() > self.end

            def is_revoked(self):
                return self.revoked

            def get_user(self):
                return user

            def get_client(self):
                return self.client

        class Code:
            def __init__(self, request, code):
                data = request.payload.data
                self.code, self.client = code, request.client
                self.redirect_uri, self.scope = request.payload.redirect_uri, request.payload.scope
                self.code_challenge = data.get("code_challenge")
                self.code_challenge_method = data.get("code_challenge_method")

            def get_redirect_uri(self):
                return self.redirect_uri

            def get_scope(self):
                return self.scope

        METHODS = ["client_secret_basic", "client_secret_post", "none"]

        class CodeGrant(grants.AuthorizationCodeGrant):
            TOKEN_ENDPOINT_AUTH_METHODS = METHODS

            def save_authorization_code(self, code, request):
                codes[code] = Code(request, code)

            def query_authorization_code(self, code, client):
                found = codes.get(code)
                return found if found and found.client is client else None

            def delete_authorization_code(self, code):
                del codes[code.code]

            def authenticate_user(self, code):
                return user

        class RefreshGrant(grants.RefreshTokenGrant):
            TOKEN_ENDPOINT_AUTH_METHODS = METHODS
            INCLUDE_NEW_REFRESH_TOKEN = True

            def authenticate_refresh_token(self, text):
                return next((t for t in tokens if t.values.get("refresh_token") == text and not t.revoked), None)

            def authenticate_user(self, token):
                return user

            def revoke_old_credential(self, token):
                token.revoked = True

        class ClientGrant(grants.ClientCredentialsGrant):
            TOKEN_ENDPOINT_AUTH_METHODS = METHODS[:2]

        class DeviceGrant(DeviceCodeGrant):
            def query_device_credential(self, code):
                return devices.get(code)

            def query_user_grant(self, user_code):
                answer = answers.get(user_code)
                return (user, answer == "allow") if answer else None

            def should_slow_down(self, credential):
                polls[credential["device_code"]] = polls.get(credential["device_code"], 0) + 1
                return polls[credential["device_code"]] == 2

        class DeviceEndpoint(DeviceAuthorizationEndpoint):
            def get_verification_uri(self):
                return "https://id.example.com/activate"

            def save_device_credential(self, client_id, scope, data):
                devices[data["device_code"]] = DeviceCredentialDict(client_id=client_id, scope=scope, **data)

        class Issuer(IssuerParameter):
            def get_issuer(self):
                return "https://id.example.com"

        class Validator(BearerTokenValidator):
            def authenticate_token(self, text):
                return next((t for t in tokens if t.values["access_token"] == text), None)

        app = Flask("authlib")
        app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
        app.config["OAUTH2_ERROR_URIS"] = [("invalid_grant", "https://id.example.com/help")]
        secret = sys.argv[2]
        for id, hidden, method in [
            ("a basic:client", secret, METHODS[0]), ("post", secret, METHODS[1]), ("public", "", METHODS[2]),
            ("powerless", secret, METHODS[0]),
        ]:
            Client(id, hidden, method)
        server = AuthorizationServer(
            app, clients.get, lambda token, request: tokens.append(Token(token, request.client)))
        server.register_grant(CodeGrant, [CodeChallenge(required=True)])
        for grant in (RefreshGrant, ClientGrant, DeviceGrant):
            server.register_grant(grant)
        server.register_endpoint(DeviceEndpoint)
        server.register_extension(Issuer())
        protected = ResourceProtector()
        protected.register_token_validator(Validator())

        @app.post("/token")
        def issue():
            return server.create_token_response()

        @app.post("/device")
        def device():
            return server.create_endpoint_response("device_authorization")

        @app.get("/authorize")
        def authorize():
            answer = request.args.get("answer")
            try:
                grant = server.get_consent_grant(end_user=user)
            except OAuth2Error as error:
                return server.handle_error_response(server.create_oauth2_request(request), error)
            return server.create_authorization_response(grant=grant, grant_user=None if answer == "deny" else user)

        @app.post("/answer/<user_code>/<answer>")
        def answer(user_code, answer):
            answers[user_code] = answer
            return ""

        @app.post("/forget/<access_token>")
        def forget(access_token):
            for token in tokens:
                if token.values["access_token"] == access_token:
                    token.end = 0
            return ""

        @app.get("/books")
        @protected("books")
        def books():
            return ["The Dispossessed"]

        def end_with_parent(parent=os.getppid()):
            while os.getppid() == parent:
                time.sleep(0.2)
            os._exit(0)

        threading.Thread(target=end_with_parent, daemon=True).start()
        from werkzeug.serving import make_server
        listening = make_server("127.0.0.1", int(sys.argv[1]), app, threaded=True)
        print("ready", flush=True)
        listening.serve_forever()
        """
}
