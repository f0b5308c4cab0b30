import Errand
import TestSupport
import Testing

struct `A key for an API` {
    @Test func `an API key is sent in a header field`() async throws {
        let request = SignedRequest([APIKeyAuthentication("k-1 2", in: .header("X-Api-Key"))])
        _ = try await request.start().value
        #expect(request.sent.first?.urlRequest.value(forHTTPHeaderField: "x-api-key") == "k-1 2")
    }

    @Test(arguments: [
        ("https://api.example.com/a", "https://api.example.com/a?key=a%2Bb%26c%3D%20d"),
        ("https://api.example.com/a%2Fb?q=1&q=%20", "https://api.example.com/a%2Fb?q=1&q=%20&key=a%2Bb%26c%3D%20d"),
        ("https://api.example.com", "https://api.example.com?key=a%2Bb%26c%3D%20d"),
    ])
    func `an API key is appended to the query and escaped`(
        _ url: String, _ expected: String
    ) async throws {
        let request = SignedRequest([APIKeyAuthentication("a+b&c= d", in: .query("key"))], to: url)
        _ = try await request.start().value
        #expect(request.sent.first?.urlRequest.url?.absoluteString == expected)
    }

    @Test(arguments: [
        (nil, "key=k-1=="), ("a=1", "a=1; key=k-1=="), ("a=1; akey=2; keys=3", "a=1; akey=2; keys=3; key=k-1=="),
        ("key=own", "key=own"), ("a=1; key=own", "a=1; key=own"),
    ])
    func `an API key is a cookie after the others`(_ cookies: String?, _ expected: String) async throws {
        let request = SignedRequest([APIKeyAuthentication("k-1==", in: .cookie("key"))])
        request.headers["Cookie"] = cookies
        _ = try await request.start().value
        #expect(request.sent.first?.urlRequest.value(forHTTPHeaderField: "Cookie") == expected)
        #expect(request.sent.first?.credentialFields.contains("cookie") == true)
    }

    @Test(arguments: ["a b", "a;b", "a,b", "a\"b", "a\\b", "é"])
    func `an API key that cookies cannot have is not sent`(_ key: String) async throws {
        let request = SignedRequest([APIKeyAuthentication(key, in: .cookie("key"))])
        await expectFailure(.invalidCredential) { try await request.start().value }
        #expect(request.sent.isEmpty)
    }

    @Test func `the API key of a request overrides that of the interceptor`() async throws {
        let request = SignedRequest([
            APIKeyAuthentication("theirs", in: .header("X-Api-Key")), APIKeyAuthentication("theirs", in: .query("k")),
        ])
        request.headers["x-api-key"] = "own"
        request.query = ["k": "own"]
        _ = try await request.start().value
        let sent = try #require(request.sent.first?.urlRequest)
        #expect(sent.value(forHTTPHeaderField: "X-Api-Key") == "own")
        #expect(sent.url?.query == "k=own")
    }

    @Test(
        arguments: ["", "a\nb", "\u{0}"],
        [APIKeyAuthentication.Placement.header("X-Key"), .query("key"), .cookie("key")])
    func `an invalid API key is not sent`(_ key: String, _ placement: APIKeyAuthentication.Placement) async throws {
        let request = SignedRequest([APIKeyAuthentication(key, in: placement)])
        await expectFailure(.invalidCredential) { try await request.start().value }
        #expect(request.sent.isEmpty)
    }

    @Test(arguments: [
        APIKeyAuthentication.Placement.header(""), .header("X Key"), .header("X-Key:"), .query(""),
        .cookie(""), .cookie("a b"),
        // These fields are printed, or sent to other origins.
        .header("Accept"), .header("user-agent"), .header("If-Match"), .header("Accept-Key"), .header("Content-Length"),
    ])
    func `an API key in an unsuitable header field is rejected`(
        _ placement: APIKeyAuthentication.Placement
    ) async throws {
        let request = SignedRequest([APIKeyAuthentication("secret", in: placement)])
        await expectFailure(.invalidCredential) { try await request.start().value }
        #expect(request.sent.isEmpty)
    }

    @Test(arguments: [APIKeyAuthentication.Placement.header("X-Api-Key"), .query("key"), .cookie("key")])
    func `an API key is redacted in curl commands and errors`(
        _ placement: APIKeyAuthentication.Placement
    ) async throws {
        let request = SignedRequest([APIKeyAuthentication("hunter2", in: placement)], status: 500)
        let pipeline = request.start()
        let error = await expectFailure(.unacceptableStatusCode) {
            try await pipeline.validateStatusCode(in: 200..<300).value
        }
        let sent = try #require(request.sent.first?.urlRequest)
        let command = sent.curlCommand()
        #expect(command.contains("***"))
        let errors = error.map { "\($0)" } ?? "no error"
        for text in [command, errors, "\(request.sent)", String(reflecting: request.sent)] {
            #expect(!text.contains("hunter2"), "\(text)")
        }
    }
}
