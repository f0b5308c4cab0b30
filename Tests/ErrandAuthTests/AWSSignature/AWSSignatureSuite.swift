import Errand
import TestSupport
import Testing

@testable import ErrandAuth

/// The test suite of AWS Signature Version 4.
@Suite(.enabled(if: PublicSuite.awsSignature.folder != nil, "\(PublicSuite.reason)"))
struct `Public suite: aws-sigv4` {
    private struct Context: Decodable {
        struct Credentials: Decodable {
            var accessKeyId: String
            var secretAccessKey: String
            var token: String?
        }

        var credentials: Credentials
        var normalize: Bool
        var signBody: Bool
        var omitSessionToken: Bool?
        var region: String
        var service: String
    }

    private struct Case {
        let folder: URL
        let context: Context
        let signature: AWSSignature
        let credential: AWSCredential
        let request: URLRequest

        init(_ folder: URL) throws {
            self.folder = folder
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            context = try decoder.decode(
                Context.self, from: Data(contentsOf: folder.appendingPathComponent("context.json")))
            // One case adds the token after the signature, which S3 and most services do not accept: its signature is
            // the one without a token.
            let isTokenSigned = context.omitSessionToken != true
            credential = AWSCredential(
                id: context.credentials.accessKeyId, secret: context.credentials.secretAccessKey,
                sessionToken: isTokenSigned ? context.credentials.token : nil)
            var signature = AWSSignature(credential, region: context.region, service: context.service)
            // 2015-08-30T12:36:00Z, in all cases.
            signature.now = { Date(timeIntervalSince1970: 1_440_938_160) }
            self.signature = signature
            request = try Self.request(
                String(contentsOf: folder.appendingPathComponent("request.txt"), encoding: .utf8))
        }

        func text(_ name: String) throws -> String {
            try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        }

        /// Escapes the path once, because the paths in the suite's requests are not escaped.
        func canonical(_ request: URLRequest, payload: String) -> AWSCanonicalRequest {
            AWSCanonicalRequest(
                request, payload: payload,
                path: { [context] in
                    (context.normalize ? $0.normalizedPath : $0.percentEncodedPath).awsEscapedOnce(keeping: "/")
                }, unsigned: ["authorization"])
        }

        /// Parses a request of the suite, which may have folded fields and an unescaped path.
        private static func request(_ text: String) throws -> URLRequest {
            let parts = text.components(separatedBy: "\n\n")
            var lines = parts[0].components(separatedBy: "\n").filter { !$0.isEmpty }
            let words = lines.removeFirst().components(separatedBy: " ")
            let target = words.dropFirst().dropLast().joined(separator: " ")
            let (path, query) = (target.prefix { $0 != "?" }, target.drop { $0 != "?" }.dropFirst())
            var components = URLComponents()
            components.scheme = "https"
            components.host = "example.amazonaws.com"
            components.percentEncodedPath = String(path).awsEscapedOnce(keeping: "/")
            if !query.isEmpty { components.percentEncodedQuery = String(query).awsEscapedOnce(keeping: "&=") }
            var request = URLRequest(url: try #require(components.url))
            request.httpMethod = words.first
            var name = ""
            for line in lines {
                let isFolded = line.hasPrefix(" ")
                if !isFolded { name = String(line.prefix { $0 != ":" }) }
                let value = isFolded ? line : String(line.drop { $0 != ":" }.dropFirst())
                let before = request.value(forHTTPHeaderField: name)
                let all = [before, value.trimmingCharacters(in: .whitespaces)].compactMap(\.self)
                request.setValue(all.joined(separator: isFolded ? " " : ","), forHTTPHeaderField: name)
            }
            request.httpBody = parts.count > 1 && !parts[1].isEmpty ? Data(parts[1].utf8) : nil
            return request
        }
    }

    private func cases() throws -> [Case] {
        let folder = try #require(PublicSuite.awsSignature.folder)
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { FileManager.default.fileExists(atPath: $0.appendingPathComponent("context.json").path) }
            .sorted { $0.path < $1.path }.map(Case.init)
    }

    @Test func `signatures in header fields match the AWS test suite`() throws {
        let cases = try cases()
        #expect(cases.count == 38)
        for entry in cases {
            var request = entry.request
            let payload = SHA256.hexDigest(request.httpBody ?? Data())
            request.setValue("20150830T123600Z", forHTTPHeaderField: "X-Amz-Date")
            request.setValue(entry.credential.token?.text, forHTTPHeaderField: "X-Amz-Security-Token")
            if entry.context.signBody { request.setValue(payload, forHTTPHeaderField: "X-Amz-Content-Sha256") }
            let canonical = entry.canonical(request, payload: payload)
            #expect(
                try canonical.text == entry.text("header-canonical-request.txt"), "\(entry.folder.lastPathComponent)")
            let authorization = entry.signature.authorization(
                for: canonical, at: "20150830T123600Z", as: entry.credential)
            #expect(try entry.text("header-signed-request.txt").contains("Authorization:\(authorization)\n"))
        }
    }

    @Test func `presigned URLs match the AWS test suite`() throws {
        for entry in try cases() {
            let payload = SHA256.hexDigest(entry.request.httpBody ?? Data())
            let written = Recorder<String>()
            let url = try entry.signature.presign(
                entry.request, .seconds(3600), unsigned: ["authorization"], as: entry.credential
            ) { request in
                let canonical = entry.canonical(request, payload: payload)
                written.record(canonical.text)
                return canonical
            }
            let name = entry.folder.lastPathComponent
            #expect(try written.elements == [entry.text("query-canonical-request.txt")], "\(name)")
            #expect(
                try url.query?.hasSuffix("&X-Amz-Signature=" + entry.text("query-signature.txt")) == true, "\(name)")
        }
    }
}
