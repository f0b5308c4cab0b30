import Errand
import TestSupport
import Testing

@Suite(.interop(.moto), .hangGuard) struct `Object storage: objects` {
    @Test func `a stored object is read back with its type and metadata`() async throws {
        let bucket = try await Moto.bucket()
        let content = Data((0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let body = RequestBody.data(content, type: "image/png")
        let version = try await PutObject("a/b.png", body, in: bucket, metadata: ["colour": "blue"]).start().value
        let object = try await GetObject("a/b.png", in: bucket).start().value
        #expect(object.data == content)
        #expect(object.metadata.etag == version.etag)
        #expect(object.metadata.contentType == "image/png")
        #expect(object.metadata.user == ["colour": "blue"])
        #expect(version.etag?.isEmpty == false)
    }

    @Test func `an object can be empty`() async throws {
        let bucket = try await Moto.bucket()
        _ = try await PutObject("empty", .data(Data()), in: bucket).start().value
        let object = try await GetObject("empty", in: bucket).start().value
        #expect(object.data.isEmpty)
        #expect(object.metadata.byteCount == 0)
    }

    @Test(arguments: ObjectKey.strange) func `an object can have any key`(_ name: String) async throws {
        let bucket = try await Moto.bucket()
        let key = ObjectKey(name)
        _ = try await PutObject(key, .text(name), in: bucket).start().value
        #expect(try await GetObject(key, in: bucket).start().value.data == Data(name.utf8))
        var listed: [String] = []
        for try await object in bucket.objects().items { listed.append(object.key) }
        #expect(listed.map { Array($0.utf8) } == [Array(name.utf8)])
        let copy = ObjectKey("copy of \(name)")
        _ = try await CopyObject(key, to: copy, in: bucket).start().value
        #expect(try await GetObject(copy, in: bucket).start().value.data == Data(name.utf8))
        let report = try await DeleteObjects([key, copy], in: bucket).start().value
        #expect(report.failures.isEmpty)
        await expectRefusal(.noSuchKey) { try await GetObject(key, in: bucket).start().value }
        await expectRefusal(.noSuchKey) { try await GetObject(copy, in: bucket).start().value }
    }

    @Test func `a range of an object is read`() async throws {
        let bucket = try await Moto.bucket()
        _ = try await PutObject("digits", .text("0123456789"), in: bucket).start().value
        func text(_ range: ByteRange) async throws -> String {
            String(decoding: try await GetObject("digits", range, in: bucket).start().value.data, as: UTF8.self)
        }
        #expect(try await text(.bytes(2...4)) == "234")
        #expect(try await text(.from(7)) == "789")
        #expect(try await text(.last(2)) == "89")
        await expectRefusal(.invalidRange, status: 416) { try await text(.from(10)) }
    }

    @Test func `an unchanged object is not sent again`() async throws {
        let bucket = try await Moto.bucket()
        let first = try #require(try await PutObject("page", .text("one"), in: bucket).start().value.etag)
        #expect(try await GetObjectIfChanged("page", from: first, in: bucket).start().value == nil)
        _ = try await PutObject("page", .text("two"), in: bucket).start().value
        let object = try await GetObjectIfChanged("page", from: first, in: bucket).start().value
        #expect(object?.data == Data("two".utf8))
    }

    @Test func `an object is replaced only if its version matches`() async throws {
        let bucket = try await Moto.bucket()
        let first = try #require(try await PutObject("page", .text("one"), in: bucket).start().value.etag)
        let second = try await PutObject("page", .text("two"), in: bucket, ifMatch: first).start().value.etag
        #expect(second != first)
        await expectRefusal(.preconditionFailed, status: 412) {
            try await PutObject("page", .text("three"), in: bucket, ifMatch: first).start().value
        }
        #expect(try await GetObject("page", in: bucket).start().value.data == Data("two".utf8))
    }

    @Test func `the metadata of an object is read without its content`() async throws {
        let bucket = try await Moto.bucket()
        _ = try await PutObject("note", .text("twelve bytes"), in: bucket).start().value
        let metadata = try await HeadObject("note", in: bucket).start().value
        #expect(metadata.byteCount == 12)
        #expect(metadata.contentType == "text/plain; charset=utf-8")
        #expect(metadata.lastModified.map { abs($0.timeIntervalSinceNow) < 600 } == true)
        let error = await expectFailure(.unacceptableStatusCode) {
            try await HeadObject("nothing", in: bucket).start().value
        }
        #expect(error?.statusCode == 404)
        #expect(error?.objectStorageError == nil)
    }

    @Test func `a deleted object is missing, and deleting it again succeeds`() async throws {
        let bucket = try await Moto.bucket()
        _ = try await PutObject("note", .text("x"), in: bucket).start().value
        try await DeleteObject("note", in: bucket).start().value
        await expectRefusal(.noSuchKey, status: 404) { try await GetObject("note", in: bucket).start().value }
        try await DeleteObject("note", in: bucket).start().value
    }

    @Test func `a missing object or bucket fails with its error code`() async throws {
        let bucket = try await Moto.bucket()
        await expectRefusal(.noSuchKey, status: 404) { try await GetObject("nothing", in: bucket).start().value }
        let missing = try await Moto.missingBucket()
        await expectRefusal(.noSuchBucket, status: 404) {
            try await PutObject("note", .text("x"), in: missing).start().value
        }
        await expectRefusal(.noSuchBucket, status: 404) {
            for try await _ in missing.objects() {}
        }
    }
}

extension ObjectKey {
    /// Keys that fail if a character is escaped once too often, or not often enough.
    static let strange = [
        "plain", "a b/c d.txt", "grüß/日本語 🎈.txt", "e\u{301}", "one+one=2", "100%", "100%25", "%41", "/leading",
        "//two", "a//b", "trailing/", "?query=1&b#c", "a&b<c>\"d'", "~!*'();:@$,[]", "back\\slash", "a/\u{301}b",
        "tab\there",
    ]
}
