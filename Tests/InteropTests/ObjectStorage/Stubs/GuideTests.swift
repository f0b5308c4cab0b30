import Errand
import ErrandAuth
import TestSupport
import Testing

/// The samples of the guide "A larger client: an object store".
struct `The guide to a larger client` {
    @Test func `the samples of the object storage guide work`() async throws {
        let file = try TemporaryFile(Data("picture".utf8), pathExtension: "jpg")
        let store = Recorder<String>()
        let example = Bucket.example { request in
            store.record(request.urlRequest.httpMethod ?? "")
            let list = "<ListBucketResult><Contents><Key>a</Key><Size>1</Size></Contents></ListBucketResult>"
            let isList = request.urlRequest.url?.query != nil
            return DataResponse(statusCode: 200, headers: ["ETag": "\"1\""], data: Data((isList ? list : "x").utf8))
        }
        var bucket = bucket(at: example.endpoint, id: "AKIDEXAMPLE", secret: "secret")
        bucket.session = example.session
        try await use(bucket, file.url)
        #expect(store.elements == ["PUT", "GET", "GET"])
    }

    private func bucket(at endpoint: URL, id: String, secret: String) -> Bucket {
        let bucket = Bucket("photos", at: endpoint, in: "eu-central-1", as: AWSCredential(id: id, secret: secret))
        return bucket
    }

    private func use(_ bucket: Bucket, _ picture: URL) async throws {
        let version = try await PutObject("2026/spring.jpg", .file(picture), in: bucket).start().value
        let object = try await GetObject("2026/spring.jpg", in: bucket).start().value
        print(version.etag ?? "none", object.data.count)
        for try await object in bucket.objects(withPrefix: "2026/").items { print(object.key, object.byteCount) }
    }

    @Test func `every sample of the object storage guide is in the code`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let root = folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let guide = root.appending(path: "Sources/ErrandAuth/ErrandAuth.docc/ObjectStorage.md")
        let blocks = try String(contentsOf: guide, encoding: .utf8).components(separatedBy: "```swift\n").dropFirst()
            .map { $0.components(separatedBy: "\n```")[0] }
        #expect(blocks.count >= 7)
        var sources: [String] = []
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        for case let file as URL in files where file.pathExtension == "swift" {
            sources.append(Self.lines(try String(contentsOf: file, encoding: .utf8)))
        }
        for block in blocks {
            let pieces = block.components(separatedBy: "…").map { Self.lines($0) }
            let isThere = sources.contains { source in pieces.allSatisfy { source.contains($0) } }
            #expect(isThere, "\(block)")
        }
    }

    /// The trimmed lines of a text, without empty lines and comments.
    private static func lines(_ text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("//") }.joined(separator: "\n")
    }
}
