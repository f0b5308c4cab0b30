import Errand
import TestSupport

/// The Distribution registry, and a server that issues tokens for it to every client, for the requested scope.
struct ImageRegistry: Sendable {
    let url: URL
    private let tokens: ServerProcess
    private let registry: ServerProcess
    private let directory: TemporaryDirectory

    init() async throws {
        let directory = try TemporaryDirectory()
        self.directory = directory
        let (tokens, tokenPort) = try await ServerProcess.onFreePort(.cryptography, readyWhen: "ready") { port in
            ["-u", "-c", Self.program, "\(port)", directory.url.appendingPathComponent("roots.pem").path]
        }
        self.tokens = tokens
        let (registry, port) = try await ServerProcess.onFreePort(.registry, readyWhen: "listening on") { port in
            let configuration = """
                version: 0.1
                log: {level: info}
                storage: {inmemory: {}}
                http: {addr: "127.0.0.1:\(port)"}
                auth:
                  token:
                    realm: http://127.0.0.1:\(tokenPort)/token
                    service: errand
                    issuer: errand
                    rootcertbundle: \(directory.url.appendingPathComponent("roots.pem").path)
                """
            let file = directory.url.appendingPathComponent("registry.yml")
            try Data(configuration.utf8).write(to: file)
            return ["serve", file.path]
        }
        self.registry = registry
        url = try URL.of("http://127.0.0.1:\(port)/v2/")
    }

    /// Signs tokens (JSON Web Tokens, RS256) with a key whose certificate is in a file.
    private static let program = """
        import base64, datetime, http.server, json, sys, time, urllib.parse
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import padding, rsa

        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "errand")])
        now = datetime.datetime.now(datetime.timezone.utc)
        certificate = (
            x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
            .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(hours=1))
            .not_valid_after(now + datetime.timedelta(hours=1)).sign(key, hashes.SHA256()))
        with open(sys.argv[2], "wb") as file:
            file.write(certificate.public_bytes(serialization.Encoding.PEM))

        def encode(data):
            return base64.urlsafe_b64encode(data).rstrip(b"=")

        def token(service, scopes):
            access = []
            for scope in scopes:
                kind, name, actions = scope.split(":")
                access.append({"type": kind, "name": name, "actions": actions.split(",")})
            der = certificate.public_bytes(serialization.Encoding.DER)
            header = {"typ": "JWT", "alg": "RS256", "x5c": [base64.b64encode(der).decode()]}
            time_now = int(time.time())
            claims = {"iss": "errand", "sub": "nobody", "aud": service, "iat": time_now, "nbf": time_now - 60,
                      "exp": time_now + 300, "jti": "1", "access": access}
            text = encode(json.dumps(header).encode()) + b"." + encode(json.dumps(claims).encode())
            return (text + b"." + encode(key.sign(text, padding.PKCS1v15(), hashes.SHA256()))).decode()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
                text = json.dumps({"token": token(query["service"][0], query.get("scope", []))}).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *arguments):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
        print("ready", flush=True)
        server.serve_forever()
        """
}
