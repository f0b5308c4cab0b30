import Errand
import TestSupport
import Testing

@testable import ErrandAuth

struct `An HTTP message signature` {
    private static let secret = Data(
        base64Encoded: "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==")
    private static let digest =
        "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:"

    /// The request of RFC 9421, appendix B.2.
    private var request: URLRequest {
        var request = URLRequest(url: URL(fileURLWithPath: "/"))
        request.url = URL(string: "https://example.com/foo?param=Value&Pet=dog")
        request.httpMethod = "POST"
        request.httpBody = Data(#"{"hello": "world"}"#.utf8)
        request.allHTTPHeaderFields = [
            "Date": "Tue, 20 Apr 2021 02:07:55 GMT", "Content-Type": "application/json", "Content-Digest": Self.digest,
        ]
        return request
    }

    private func signature(
        _ key: MessageSignature.Key, _ components: [MessageSignature.Component]
    ) -> MessageSignature {
        var signature = MessageSignature(key, covering: components)
        signature.now = { Date(timeIntervalSince1970: 1_618_884_473.9) }
        return signature
    }

    private func sent(
        _ signature: MessageSignature, _ request: TransportRequest
    ) async throws -> TransportRequest {
        let sent = Recorder<TransportRequest>()
        let next = Next { request in
            sent.record(request)
            return DataResponse(statusCode: 200)
        }
        _ = try await signature.intercept(request, next: next)
        return try #require(sent.elements.first)
    }

    /// Returns the signature base and the value of `Signature-Input`.
    private func base(
        of request: URLRequest? = nil, id: String? = "test-key-rsa-pss", _ components: [MessageSignature.Component],
        _ change: (inout MessageSignature) -> Void = { _ in }
    ) async throws -> (text: String, input: String?) {
        let signed = Recorder<String>()
        let key = MessageSignature.Key(id: id) { data in
            signed.record(String(decoding: data, as: UTF8.self))
            return Data("x".utf8)
        }
        var signature = signature(key, components)
        change(&signature)
        let sent = try await sent(signature, TransportRequest(request ?? self.request))
        return (try #require(signed.elements.first), sent.urlRequest.value(forHTTPHeaderField: "Signature-Input"))
    }

    @Test func `the guide: a message signature covers the configured components`() async throws {
        let secret = Data("secret".utf8)
        let request = APIBase()
        request.url = URL(string: "https://library.example.com/v1/shelf")
        let signature = MessageSignature(
            .hmacSHA256(id: "orders", secret: secret),
            covering: [.method, .authority, .path, .query, "content-type", "content-digest"])
        request.interceptors.append(signature)
        request.headers[.contentType] = "application/json"
        let sent = Recorder<String?>()
        let next = Next { request in
            sent.record(request.urlRequest.value(forHTTPHeaderField: "Signature-Input"))
            return DataResponse(statusCode: 200, data: Data("[]".utf8))
        }
        _ = try await signature.intercept(TransportRequest(request.buildURLRequest()), next: next)
        let input = try #require(sent.elements.first ?? nil)
        #expect(
            input.hasPrefix(
                #"sig1=("@method" "@authority" "@path" "@query" "content-type" "content-digest");created="#))
    }

    @Test func `a message signature with a shared secret matches the example of RFC 9421`() async throws {
        var signature = signature(
            .hmacSHA256(id: "test-shared-secret", secret: try #require(Self.secret)),
            ["date", .authority, "Content-Type"])
        signature.label = "sig-b25"
        let sent = try await sent(signature, TransportRequest(request))
        #expect(
            sent.urlRequest.value(forHTTPHeaderField: "Signature-Input")
                == #"sig-b25=("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret""#)
        #expect(
            sent.urlRequest.value(forHTTPHeaderField: "Signature")
                == "sig-b25=:pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=:")
        #expect(sent.credentialFields.isSuperset(of: ["signature", "signature-input"]))
    }

    @Test func `signature bases match the examples of RFC 9421`() async throws {
        let minimal = try await base([]) {
            $0.label = "sig-b21"
            $0.hasNonce = true
            $0.makeNonce = { "b3k2pp5k7z-50gnwp.yemd" }
        }
        let parameters = #"();created=1618884473;keyid="test-key-rsa-pss";nonce="b3k2pp5k7z-50gnwp.yemd""#
        #expect(minimal.text == "\"@signature-params\": \(parameters)")
        #expect(minimal.input == "sig-b21=\(parameters)")

        let selective = try await base([.authority, "content-digest", .queryItem("Pet")]) { $0.tag = "header-example" }
        #expect(
            selective.text == """
                "@authority": example.com
                "content-digest": \(Self.digest)
                "@query-param";name="Pet": dog
                "@signature-params": ("@authority" "content-digest" "@query-param";name="Pet");created=1618884473;\
                keyid="test-key-rsa-pss";tag="header-example"
                """)

        let full = try await base([
            "date", .method, .path, .query, .authority, "content-type", "content-digest", "content-length",
        ])
        #expect(
            full.text == """
                "date": Tue, 20 Apr 2021 02:07:55 GMT
                "@method": POST
                "@path": /foo
                "@query": ?param=Value&Pet=dog
                "@authority": example.com
                "content-type": application/json
                "content-digest": \(Self.digest)
                "content-length": 18
                "@signature-params": ("date" "@method" "@path" "@query" "@authority" "content-type" "content-digest" \
                "content-length");created=1618884473;keyid="test-key-rsa-pss"
                """)
    }

    @Test(arguments: [
        ("HTTPS://Example.COM:443", "https://example.com/", "example.com", "/", "/", "?"),
        (
            "http://example.com:443/a%2Fb/?", "http://example.com:443/a%2Fb/?", "example.com:443", "/a%2Fb/",
            "/a%2Fb/?", "?"
        ),
        ("https://[::1]:8443?x=1#part", "https://[::1]:8443/?x=1", "[::1]:8443", "/", "/?x=1", "?x=1"),
        ("http://[fe80::1%25eth0]/", "http://[fe80::1]/", "[fe80::1]", "/", "/", "?"),
        ("https://user:word@example.com/", "https://example.com/", "example.com", "/", "/", "?"),
    ]) func `a message signature covers the components of a URL`(
        _ url: String, _ uri: String, _ authority: String, _ path: String, _ target: String, _ query: String
    ) async throws {
        var request = request
        request.url = URL(string: url)
        let base = try await base(of: request, [.targetURI, .authority, .scheme, .path, .requestTarget, .query])
        let lines = base.text.split(separator: "\n").dropLast()
        let values = lines.map { (line: Substring) -> Substring in line.drop { $0 != ":" }.dropFirst(2) }
        let expected: [Substring] = [authority[...], uri.prefix { $0 != ":" }, path[...], target[...], query[...]]
        #expect(Array(values.dropFirst()) == expected)
        let written = values[0].lowercased().replacingOccurrences(of: ":443/", with: "/")
        #expect(written == uri.replacingOccurrences(of: ":443/", with: "/").lowercased())
    }

    @Test(arguments: ["POST", "PUT", "PATCH"])
    func `the length of a missing body is covered as it is sent`(_ method: String) async throws {
        var request = request
        request.httpMethod = method
        request.httpBody = nil
        request.setValue(nil, forHTTPHeaderField: "Content-Length")
        #expect(try await base(of: request, ["content-length"]).text.hasPrefix("\"content-length\": 0\n"))
    }

    @Test func `a query item in a signature base is decoded as a form and encoded again`() async throws {
        var request = request
        request.url = URL(string: "https://example.com/?a%20name=this+is%20a+big%0Avalue*~&e&%C3%BC=1")
        let base = try await base(of: request, [.queryItem("a name"), .queryItem("e"), .queryItem("ü")])
        #expect(
            base.text.hasPrefix(
                """
                "@query-param";name="a%20name": this%20is%20a%20big%0Avalue*%7E
                "@query-param";name="e": 
                "@query-param";name="%C3%BC": 1

                """))
    }

    @Test func `a message signature contains the configured parameters`() async throws {
        let key = MessageSignature.Key(id: #"a"b\"#, algorithm: "ed25519") { _ in Data() }
        var signature = signature(key, [])
        signature.lifetime = .milliseconds(300_999)
        signature.hasNonce = true
        signature.makeNonce = { "1" }
        signature.tag = "app"
        let sent = try await sent(signature, TransportRequest(request))
        #expect(
            sent.urlRequest.value(forHTTPHeaderField: "Signature-Input")
                == #"sig1=();created=1618884473;expires=1618884773;keyid="a\"b\\";alg="ed25519";nonce="1";tag="app""#)
        #expect(try await base(id: nil, []).input == "sig1=();created=1618884473")
    }

    @Test(arguments: [(Duration.seconds(Int64.max), 4_772_484_473), (.seconds(-1), 1_618_884_473)])
    func `the lifetime of a signature is at least zero and at most a hundred years`(
        _ lifetime: Duration, _ expires: Int
    ) async throws {
        var signature = signature(.hmacSHA256(id: nil, secret: Data()), [])
        signature.lifetime = lifetime
        let input = try await sent(signature, TransportRequest(request)).urlRequest
            .value(forHTTPHeaderField: "Signature-Input")
        #expect(input?.contains(";expires=\(expires)") == true)
    }

    @Test func `each message signature has a new nonce`() async throws {
        let nonces = (0..<10).map { _ in signature(.hmacSHA256(id: nil, secret: Data()), []).makeNonce() }
        #expect(Set(nonces).count == 10)
        #expect(nonces.allSatisfy { Data(base64Encoded: $0)?.count == 16 })
    }

    @Test func `a message signature adds Content-Digest if it covers the field and the field is missing`()
        async throws
    {
        var request = request
        request.setValue(nil, forHTTPHeaderField: "Content-Digest")
        let key = MessageSignature.Key.hmacSHA256(id: nil, secret: Data())
        let digest = "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:"
        var sent = try await sent(signature(key, ["content-digest"]), TransportRequest(request))
        #expect(sent.urlRequest.value(forHTTPHeaderField: "Content-Digest") == digest)
        sent = try await self.sent(signature(key, [.method]), TransportRequest(request))
        #expect(sent.urlRequest.value(forHTTPHeaderField: "Content-Digest") == nil)
        sent = try await self.sent(signature(key, ["content-digest"]), TransportRequest(self.request))
        #expect(sent.urlRequest.value(forHTTPHeaderField: "Content-Digest") == Self.digest)
        request.httpBody = nil
        sent = try await self.sent(signature(key, ["content-digest"]), TransportRequest(request))
        let empty = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"
        #expect(sent.urlRequest.value(forHTTPHeaderField: "Content-Digest") == empty)
    }

    @Test func `a message signature is added to an existing signature`() async throws {
        var request = request
        request.setValue(#"proxy=("date")"#, forHTTPHeaderField: "Signature-Input")
        request.setValue("proxy=:eA==:", forHTTPHeaderField: "Signature")
        let sent = try await sent(
            signature(MessageSignature.Key(id: nil) { _ in Data("y".utf8) }, [.method]), TransportRequest(request))
        #expect(
            sent.urlRequest.value(forHTTPHeaderField: "Signature-Input")
                == #"proxy=("date"), sig1=("@method");created=1618884473"#)
        #expect(sent.urlRequest.value(forHTTPHeaderField: "Signature") == "proxy=:eA==:, sig1=:eQ==:")
    }

    @Test func `a component that is missing or not unique fails the request`() async throws {
        let key = MessageSignature.Key.hmacSHA256(id: nil, secret: Data())
        let none = Next { _ in throw Fault.first }
        var request = TransportRequest(request)
        request.urlRequest.url = URL(string: "https://example.com/?a=1&a=2")
        for components: [MessageSignature.Component] in [
            ["x-missing"], ["date", "Date"], ["a b"], [.queryItem("a")], [.queryItem("b")], [.method, .method],
        ] {
            let signature = signature(key, components)
            await expectFailure(.invalidCredential) { try await signature.intercept(request, next: none) }
        }
        var badLabel = signature(key, [])
        badLabel.label = "Sig"
        var badTag = signature(key, [])
        badTag.tag = "a\r\nb"
        for signature in [badLabel, badTag, signature(.hmacSHA256(id: "ü", secret: Data()), [])] {
            await expectFailure(.invalidCredential) { try await signature.intercept(request, next: none) }
        }
        request.bodyStream = BodyStream(AsyncStream { $0.finish() })
        request.urlRequest.setValue(nil, forHTTPHeaderField: "Content-Digest")
        let covering = signature(key, ["content-digest"])
        await expectFailure(.bodyEncodingFailed) { [request] in try await covering.intercept(request, next: none) }
        // The transport sends such a body without its length.
        request.urlRequest.setValue(nil, forHTTPHeaderField: "Content-Length")
        let sized = signature(key, ["content-length"])
        await expectFailure(.invalidCredential) { [request] in try await sized.intercept(request, next: none) }
    }

    @Test func `a message signature fails with the error of its key`() async throws {
        let signature = signature(MessageSignature.Key(id: nil) { _ in throw Fault.first }, [.method])
        await #expect(throws: Fault.first) { try await sent(signature, TransportRequest(request)) }
    }

    @Test func `the description of a message signature contains no secret`() {
        let signature = signature(.hmacSHA256(id: "key-7", secret: Data("planted".utf8)), [.method])
        var dumped = ""
        dump(signature, to: &dumped)
        #expect("\(signature)" == "MessageSignature sig1 with key key-7")
        #expect(!dumped.contains("planted") && !dumped.contains(Data("planted".utf8).base64EncodedString()))
    }
}
