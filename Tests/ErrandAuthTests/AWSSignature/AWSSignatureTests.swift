import Errand
import TestSupport
import Testing

@testable import ErrandAuth

struct `A signature of AWS` {
    /// A request and its signature, as AWS publishes them.
    struct Vector: Sendable, CustomTestStringConvertible {
        var name: String
        var method = "GET"
        var url: String
        var headers: [String: String] = [:]
        var body: String?
        var signedFields: String
        var signature: String
        var testDescription: String { name }
    }

    private static func url(_ text: String) -> URL { URL(string: text) ?? URL(fileURLWithPath: "/") }

    @Test(arguments: Vector.documentation)
    func `an AWS signature matches the examples in the S3 documentation`(_ vector: Vector) async throws {
        let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
        var signer = AWSSignature(
            AWSCredential(id: "AKIAIOSFODNN7EXAMPLE", secret: secret), region: "us-east-1", service: "s3")
        signer.now = { Date(timeIntervalSince1970: 1_369_353_600) }
        let signed = try await signer.signed(vector)
        #expect(
            signed.authorization
                == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
                + "SignedHeaders=\(vector.signedFields), Signature=\(vector.signature)")
        #expect(signed.value(forHTTPHeaderField: "X-Amz-Date") == "20130524T000000Z")
    }

    @Test func `a request with an Authorization field is not signed`() async throws {
        let vector = Vector(
            name: "", url: "https://store.example.com/", headers: ["Authorization": "Bearer x"], signedFields: "",
            signature: "")
        let signed = try await AWSSignature.example.signed(vector)
        #expect(signed.authorization == "Bearer x")
        #expect(signed.value(forHTTPHeaderField: "X-Amz-Date") == nil)
    }

    @Test(arguments: [
        ("http://store.example.com:80/", "store.example.com"),
        ("http://store.example.com:443/", "store.example.com:443"),
        ("https://store.example.com:443/", "store.example.com"), ("http://[::1]:9000/", "[::1]:9000"),
        ("http://[::1%25lo]:9000/", "[::1]:9000"), ("https://[fe80::1%25eth0]/a%25b", "[fe80::1]"),
        ("https://[fe80::1%25en%201]:443/", "[fe80::1]"),
    ]) func `an AWS signature covers the host as it is sent`(_ url: String, _ host: String) throws {
        let request = URLRequest(url: Self.url(url))
        #expect(AWSCanonicalRequest(request, payload: "x", path: .asSent).text.contains("\nhost:\(host)\n"))
    }

    @Test(arguments: [
        ("", "/"), ("/", "/"), ("//a///b", "/a/b"), ("/a/./b/../c", "/a/c"), ("/../../a", "/a"), ("/a/", "/a/"),
        ("/a/..", "/"), ("/a/.", "/a/"), ("/a%20b", "/a%2520b"), ("/a:b", "/a%3Ab"), ("/a%FFb", "/a%25FFb"),
    ])
    func `an AWS signature for services other than S3 normalizes and double-escapes the path`(
        _ path: String, _ expected: String
    ) {
        let request = URLRequest(url: Self.url("https://db.example.com" + path))
        let text = AWSCanonicalRequest(request, payload: "x", path: .normalized).text
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false)[1] == expected)
    }

    @Test(
        arguments: [
            ("s3", true), ("s3express", true), ("s3-outposts", true), ("s3-object-lambda", true), ("s3tables", false),
            ("s3vectors", false), ("s3-tables", false), ("s3deepstore", false), ("S3", false), ("execute-api", false),
        ])
    func `only S3 itself signs the path as it is sent`(_ service: String, _ isObjectStore: Bool) async throws {
        let credential = AWSCredential(id: "ID", secret: "secret")
        var signature = AWSSignature(credential, region: "us-east-1", service: service)
        signature.now = { Date(timeIntervalSince1970: 1_369_353_600) }
        let url = "https://a.example/arn%3Aaws%3As3/a%20b//c"
        let signed = try await signature.signed(
            Vector(name: "", url: url, headers: [:], signedFields: "", signature: ""))
        let payload = SHA256.hexDigest(Data())
        #expect(signed.value(forHTTPHeaderField: "X-Amz-Content-Sha256") == (isObjectStore ? payload : nil))
        let canonical = AWSCanonicalRequest(signed, payload: payload, path: isObjectStore ? .asSent : .normalized)
        #expect(signed.authorization == signature.authorization(for: canonical, at: "20130524T000000Z", as: credential))
        let path = canonical.text.split(separator: "\n")[1]
        #expect(path == (isObjectStore ? "/arn%3Aaws%3As3/a%20b//c" : "/arn%253Aaws%253As3/a%2520b/c"))
        // A presigned URL of S3 does not sign the body.
        var upload = URLRequest(url: try #require(URL(string: url)))
        upload.httpMethod = "PUT"
        let empty = try await signature.presignedURL(for: upload)
        upload.httpBody = Data("body".utf8)
        #expect(try await (signature.presignedURL(for: upload) == empty) == isObjectStore)
    }

    @Test func `each attempt is signed with a new AWS credential, whose token is marked as secret`() async throws {
        let numbers = Locked(0)
        let signature = AWSSignature(region: "eu-central-1", service: "s3") {
            let number = numbers.withLock { number in
                number += 1
                return number
            }
            return AWSCredential(id: "ID\(number)", secret: "s", sessionToken: "token\(number)")
        }
        for number in 1...2 {
            let next = Next { request in
                let field = request.urlRequest.value(forHTTPHeaderField: "Authorization") ?? ""
                #expect(field.contains("Credential=ID\(number)/"))
                #expect(field.contains("x-amz-security-token"))
                #expect(request.urlRequest.value(forHTTPHeaderField: "X-Amz-Security-Token") == "token\(number)")
                #expect(request.credentialFields == ["x-amz-security-token"])
                return DataResponse(statusCode: 200)
            }
            _ = try await signature.intercept(
                TransportRequest(URLRequest(url: Self.url("https://a.example"))), next: next)
        }
    }

    @Test(arguments: [
        AWSCredential(id: "", secret: "x"), AWSCredential(id: "a\r\nX: y", secret: "x"),
        AWSCredential(id: "a", secret: "x", sessionToken: "a\nb"),
        AWSCredential(id: "a", secret: "x", sessionToken: ""),
    ]) func `an invalid AWS credential is rejected`(_ credential: AWSCredential) async throws {
        let signature = AWSSignature(credential, region: "x", service: "s3")
        let request = URLRequest(url: Self.url("https://a.example"))
        await expectFailure(.invalidCredential) {
            try await signature.intercept(TransportRequest(request), next: Next { _ in DataResponse(statusCode: 200) })
        }
        await expectFailure(.invalidCredential) { try await signature.presignedURL(for: request) }
    }

    /// Amazon S3 API Reference, "Authenticating Requests: Using Query Parameters", the example.
    @Test func `a presigned URL matches the example in the S3 documentation`() async throws {
        var signature = AWSSignature(
            AWSCredential(id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
            region: "us-east-1", service: "s3")
        signature.now = { Date(timeIntervalSince1970: 1_369_353_600) }
        let url = try await signature.presignedURL(
            for: URLRequest(url: Self.url("https://examplebucket.s3.amazonaws.com/test.txt")), validFor: .seconds(86400)
        )
        #expect(
            url.absoluteString
                == "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256"
                + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
                + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
                + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
    }

    @Test(arguments: [
        (Duration.zero, "1"), (.seconds(-1), "1"), (.seconds(Int64.min), "1"), (.milliseconds(2500), "2"),
        (.seconds(Int64.max), "604800"),
    ])
    func `the validity of a presigned URL is limited to between a second and a week`(
        _ duration: Duration, _ seconds: String
    ) async throws {
        let url = try await AWSSignature.example.presignedURL(
            for: URLRequest(url: Self.url("https://a.example/?b")), validFor: duration)
        #expect(url.query?.hasPrefix("b&") == true)
        #expect(url.query?.contains("&X-Amz-Expires=\(seconds)&") == true)
    }
}

extension AWSSignature {
    fileprivate static let example = AWSSignature(
        AWSCredential(id: "AKIDEXAMPLE", secret: "secret"), region: "us-east-1", service: "s3")

    /// Returns the request that is sent.
    fileprivate func signed(_ vector: `A signature of AWS`.Vector) async throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: vector.url)))
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

extension `A signature of AWS`.Vector {
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
}
