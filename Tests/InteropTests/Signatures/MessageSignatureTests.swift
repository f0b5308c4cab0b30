import Errand
import ErrandAuth
import TestSupport
import Testing

@Suite(.interop(.openssl), .hangGuard) struct `OpenSSL: message signatures` {
    /// The private key of RFC 9421, appendix B.1.4, which is public.
    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF
        -----END PRIVATE KEY-----

        """

    @Test func `an Ed25519 message signature matches the example of the RFC`() async throws {
        let directory = try TemporaryDirectory()
        let keyFile = try directory.write(Data(Self.key.utf8), to: "key")
        let key = MessageSignature.Key(id: "test-key-ed25519") { [directory] base in
            let text = try directory.write(base, to: "base")
            let signature = directory.path("signature")
            try await Tool.openssl.run([
                "pkeyutl", "-sign", "-rawin", "-inkey", keyFile, "-in", text, "-out", signature,
            ])
            return try Data(contentsOf: URL(fileURLWithPath: signature))
        }
        var signature = MessageSignature(
            key, covering: ["date", .method, .path, .authority, "content-type", "content-length"])
        signature.label = "sig-b26"
        signature.now = { Date(timeIntervalSince1970: 1_618_884_473) }
        var request = URLRequest(url: try #require(URL(string: "https://example.com/foo?param=Value&Pet=dog")))
        request.httpMethod = "POST"
        request.httpBody = Data(#"{"hello": "world"}"#.utf8)
        request.allHTTPHeaderFields = ["Date": "Tue, 20 Apr 2021 02:07:55 GMT", "Content-Type": "application/json"]
        let response = try await signature.intercept(
            TransportRequest(request),
            next: Next { request in
                let value = request.urlRequest.value(forHTTPHeaderField: "Signature") ?? ""
                return DataResponse(statusCode: 200, data: Data(value.utf8))
            })
        let expected = "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw=="
        #expect(String(decoding: response.data, as: UTF8.self) == "sig-b26=:\(expected):")
    }
}
