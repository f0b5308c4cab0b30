import Errand
import TestSupport
import Testing

struct `A signature of version 4` {
    /// A request and its signature, as AWS publishes them.
    struct Vector: Sendable, CustomTestStringConvertible {
        var name: String
        var method = "GET"
        var url: String
        var headers: [String: String] = [:]
        var body: String?
        var token: String?
        var signedFields: String
        var signature: String
        var testDescription: String { name }
    }

    @Test(arguments: Vector.documentation) func `is the one in the documentation of S3`(_ vector: Vector) async throws {
        let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
        var signer = SignatureVersion4(
            AccessKey(id: "AKIAIOSFODNN7EXAMPLE", secret: secret), region: "us-east-1", service: "s3")
        signer.now = { Date(timeIntervalSince1970: 1_369_353_600) }
        let signed = try await signer.signed(vector)
        #expect(
            signed.authorization
                == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
                + "SignedHeaders=\(vector.signedFields), Signature=\(vector.signature)")
        #expect(signed.value(forHTTPHeaderField: "X-Amz-Date") == "20130524T000000Z")
    }

    @Test(arguments: Vector.suite) func `is the one in the test suite of AWS`(_ vector: Vector) async throws {
        var signer = SignatureVersion4(
            AccessKey(
                id: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", sessionToken: vector.token),
            region: "us-east-1", service: "service")
        signer.now = { Date(timeIntervalSince1970: 1_440_938_160) }
        let signed = try await signer.signed(vector)
        #expect(
            signed.authorization
                == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                + "SignedHeaders=\(vector.signedFields), Signature=\(vector.signature)")
        #expect(signed.value(forHTTPHeaderField: "X-Amz-Content-Sha256") == nil)
    }

    @Test func `is made anew for each attempt`() async throws {
        let sent = Recorder<URLRequest>()
        let times = Locked([0.0, 60.0])
        var bucket = Bucket.example { request in
            sent.record(request.urlRequest)
            return DataResponse(statusCode: sent.elements.count == 1 ? 503 : 204)
        }
        bucket.retryPolicy = .immediate
        bucket.signature.now = { Date(timeIntervalSince1970: 1_369_353_600 + times.withLock { $0.removeFirst() }) }
        try await DeleteObject("note", in: bucket).start().value
        let dates = sent.elements.map { $0.value(forHTTPHeaderField: "X-Amz-Date") }
        #expect(dates == ["20130524T000000Z", "20130524T000100Z"])
        #expect(Set(sent.elements.map(\.authorization)).count == 2)
    }

    @Test func `leaves out the body of a stream, and what is not to be hashed`() async throws {
        let sent = Recorder<URLRequest>()
        var bucket = Bucket.example { request in
            sent.record(request.urlRequest)
            return DataResponse(statusCode: 200)
        }
        let file = try TemporaryFile(Data("x".utf8))
        _ = try await PutObject("note", .file(file.url), in: bucket).start().value
        _ = try await PutObject("note", .text("x"), in: bucket).start().value
        bucket.signature.signsBodies = false
        _ = try await PutObject("note", .text("x"), in: bucket).start().value
        let digest = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
        #expect(
            sent.elements.map { $0.value(forHTTPHeaderField: "X-Amz-Content-Sha256") }
                == ["UNSIGNED-PAYLOAD", digest, "UNSIGNED-PAYLOAD"])
    }

    @Test func `is not put over another`() async throws {
        let vector = Vector(
            name: "", url: "https://store.example.com/", headers: ["Authorization": "Bearer x"], signedFields: "",
            signature: "")
        let signed = try await SignatureVersion4.example.signed(vector)
        #expect(signed.authorization == "Bearer x")
        #expect(signed.value(forHTTPHeaderField: "X-Amz-Date") == nil)
    }

    @Test(arguments: [
        ("http://store.example.com:80/", "store.example.com"),
        ("http://store.example.com:443/", "store.example.com:443"),
        ("https://store.example.com:443/", "store.example.com"), ("http://[::1]:9000/", "[::1]:9000"),
    ]) func `covers the host as it is sent`(_ url: String, _ host: String) throws {
        let request = URLRequest(url: try URL.of(url))
        #expect(CanonicalRequest(request, payload: "x").text.contains("\nhost:\(host)\n"))
    }

    @Test func `shows no secret`() {
        let key = AccessKey(id: "AKIDEXAMPLE", secret: "hidden", sessionToken: "concealed")
        var dumped = ""
        dump(Bucket("photos", at: URL(filePath: "/"), in: "x", as: key), to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped] {
            #expect(!text.contains("hidden") && !text.contains("concealed"))
        }
        #expect(dumped.contains("AKIDEXAMPLE"))
    }
}

extension SignatureVersion4 {
    static let example = SignatureVersion4(
        AccessKey(id: "AKIDEXAMPLE", secret: "secret"), region: "us-east-1", service: "s3")

    /// What is sent for a request.
    fileprivate func signed(_ vector: `A signature of version 4`.Vector) async throws -> URLRequest {
        var request = URLRequest(url: try URL.of(vector.url))
        request.httpMethod = vector.method
        request.allHTTPHeaderFields = vector.headers
        request.httpBody = vector.body.map { Data($0.utf8) }
        let sent = Recorder<URLRequest>()
        let next = Next { request in
            sent.record(request.urlRequest)
            return DataResponse(statusCode: 200)
        }
        _ = try await intercept(TransportRequest(request), next: next)
        return try #require(sent.elements.first)
    }
}

extension URLRequest {
    fileprivate var authorization: String? { value(forHTTPHeaderField: "Authorization") }
}

extension `A signature of version 4`.Vector {
    /// Amazon S3 API Reference, "Signature Calculations for the Authorization Header", the four examples.
    static let documentation = [
        Self(
            name: "GET with a range", url: "https://examplebucket.s3.amazonaws.com/test.txt",
            headers: ["Range": "bytes=0-9"], signedFields: "host;range;x-amz-content-sha256;x-amz-date",
            signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
        Self(
            name: "PUT with a body", method: "PUT", url: "https://examplebucket.s3.amazonaws.com/test$file.text",
            headers: ["Date": "Fri, 24 May 2013 00:00:00 GMT", "X-Amz-Storage-Class": "REDUCED_REDUNDANCY"],
            body: "Welcome to Amazon S3.",
            signedFields: "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
            signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
        Self(
            name: "GET with a flag", url: "https://examplebucket.s3.amazonaws.com/?lifecycle",
            signedFields: "host;x-amz-content-sha256;x-amz-date",
            signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        Self(
            name: "GET with a query", url: "https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J",
            signedFields: "host;x-amz-content-sha256;x-amz-date",
            signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ]

    private static let letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    private static let token =
        "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwth"
        + "Ax7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAki"
        + "Y9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA=="

    /// `aws-sig-v4-test-suite`, those of its requests that a store would know: it tidies paths up, which a store does not.
    static let suite = [
        Self(
            name: "get-vanilla", url: "https://example.amazonaws.com/", signedFields: "host;x-amz-date",
            signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        Self(
            name: "get-unreserved", url: "https://example.amazonaws.com/-._~\(letters)",
            signedFields: "host;x-amz-date",
            signature: "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"),
        Self(
            name: "get-utf8", url: "https://example.amazonaws.com/%E1%88%B4", signedFields: "host;x-amz-date",
            signature: "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"),
        Self(
            name: "get-vanilla-query-order-key", url: "https://example.amazonaws.com/?Param1=value2&Param1=Value1",
            signedFields: "host;x-amz-date",
            signature: "eedbc4e291e521cf13422ffca22be7d2eb8146eecf653089df300a15b2382bd1"),
        Self(
            name: "get-vanilla-query-order-value", url: "https://example.amazonaws.com/?Param1=value2&Param1=value1",
            signedFields: "host;x-amz-date",
            signature: "5772eed61e12b33fae39ee5e7012498b51d56abc0abb7c60486157bd471c4694"),
        Self(
            name: "get-vanilla-query-unreserved",
            url: "https://example.amazonaws.com/?-._~\(letters)=-._~\(letters)", signedFields: "host;x-amz-date",
            signature: "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"),
        Self(
            name: "get-vanilla-utf8-query", url: "https://example.amazonaws.com/?%E1%88%B4=bar",
            signedFields: "host;x-amz-date",
            signature: "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"),
        Self(
            name: "get-header-value-trim", url: "https://example.amazonaws.com/",
            headers: ["My-Header1": " value1", "My-Header2": " \"a   b   c\""],
            signedFields: "host;my-header1;my-header2;x-amz-date",
            signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"),
        Self(
            name: "post-header-key-sort", method: "POST", url: "https://example.amazonaws.com/",
            headers: ["My-Header1": "value1"], signedFields: "host;my-header1;x-amz-date",
            signature: "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"),
        Self(
            name: "post-vanilla-query", method: "POST", url: "https://example.amazonaws.com/?Param1=value1",
            signedFields: "host;x-amz-date",
            signature: "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"),
        Self(
            name: "post-x-www-form-urlencoded", method: "POST", url: "https://example.amazonaws.com/",
            headers: ["Content-Type": "application/x-www-form-urlencoded"], body: "Param1=value1",
            signedFields: "content-type;host;x-amz-date",
            signature: "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"),
        Self(
            name: "post-sts-header-before", method: "POST", url: "https://example.amazonaws.com/", token: token,
            signedFields: "host;x-amz-date;x-amz-security-token",
            signature: "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead"),
    ]
}
