import Errand
import TestSupport
import Testing

struct `A request for an object` {
    @Test(arguments: [
        ("plain", "/photos/plain"), ("a b/c+d%.txt", "/photos/a%20b/c%2Bd%25.txt"), ("/leading", "/photos//leading"),
        ("a//b/", "/photos/a//b/"), ("%41", "/photos/%2541"), ("?a=1#b", "/photos/%3Fa%3D1%23b"),
        ("grüß", "/photos/gr%C3%BC%C3%9F"), ("a/\u{301}b", "/photos/a/%CC%81b"), ("...", "/photos/..."),
    ]) func `an object request has its key as the path`(_ key: String, _ path: String) async throws {
        let (bucket, sent) = Bucket.example(respondingWith: 200)
        _ = try await GetObject(ObjectKey(key), in: bucket).start().value
        let url = try #require(sent.elements.first?.urlRequest.url)
        #expect(url.absoluteString == "https://store.example.com\(path)")
    }

    @Test(arguments: ["", ".", "..", "../other", "a/../b", "a/./b"])
    func `an object request whose key leads to another path is not sent`(_ key: String) async {
        let (bucket, sent) = Bucket.example(respondingWith: 200)
        await expectFailure(.invalidURL) { try await DeleteObject(ObjectKey(key), in: bucket).start().value }
        #expect(sent.elements.isEmpty)
    }

    @Test func `an object request fails with the store's error code and message`() async throws {
        let document = """
            <?xml version="1.0" encoding="UTF-8"?>
            <Error><Code>NoSuchKey</Code><Message>The &amp; key</Message><Key>secret</Key><RequestId>4442</RequestId></Error>
            """
        let (bucket, _) = Bucket.example(respondingWith: 404, document)
        let error = await expectFailure(.unacceptableStatusCode) {
            try await GetObject("secret", in: bucket).start().value
        }
        let expected = ObjectStorageError(code: .noSuchKey, message: "The & key", requestID: "4442")
        #expect(error?.objectStorageError == expected)
        #expect(error?.description.contains("The & key") == false)
    }

    @Test(arguments: ["", "<html><body>502</body></html>", "<Error><Code>", "{}"])
    func `an object request without an error document fails with its status`(_ document: String) async {
        let (bucket, _) = Bucket.example(respondingWith: 502, document)
        let error = await expectFailure(.unacceptableStatusCode) {
            try await GetObject("note", in: bucket).start().value
        }
        #expect(error?.statusCode == 502)
        #expect(error?.objectStorageError == nil)
    }

    @Test func `a 304 response is accepted only for a conditional request`() async throws {
        let (bucket, sent) = Bucket.example(respondingWith: 304)
        #expect(try await GetObjectIfChanged("note", from: "\"1\"", in: bucket).start().value == nil)
        #expect(sent.elements.first?.urlRequest.value(forHTTPHeaderField: "If-None-Match") == "\"1\"")
        await expectFailure(.unacceptableStatusCode) { try await GetObject("note", in: bucket).start().value }
    }

    @Test func `copying an object fails if a 200 response contains an error document`() async {
        let document = "<Error><Code>SlowDown</Code></Error>"
        let (bucket, _) = Bucket.example(respondingWith: 200, document)
        await expectRefusal(.slowDown, status: 200) { try await CopyObject("a", to: "b", in: bucket).start().value }
    }

    @Test func `copying an object sends the path of the source object`() async throws {
        let document = "<CopyObjectResult><ETag>\"1\"</ETag></CopyObjectResult>"
        let (bucket, sent) = Bucket.example(respondingWith: 200, document)
        let copy = try await CopyObject("a b/ü", to: "c", in: bucket).start().value
        #expect(copy.etag == "\"1\"")
        let source = sent.elements.first?.urlRequest.value(forHTTPHeaderField: "X-Amz-Copy-Source")
        #expect(source == "/photos/a%20b/%C3%BC")
    }

    @Test func `deleting several objects sends the digest of the list`() async throws {
        let document = """
            <DeleteResult><Deleted><Key>a</Key></Deleted><Error><Key>b</Key><Code>AccessDenied</Code></Error></DeleteResult>
            """
        let (bucket, sent) = Bucket.example(respondingWith: 200, document)
        let report = try await DeleteObjects(["a", "b<&>"], in: bucket).start().value
        #expect(report.deletions.map(\.key) == ["a"])
        #expect(report.failures == [DeletionReport.Failure(key: "b", code: .accessDenied)])
        let request = try #require(sent.elements.first?.urlRequest)
        let body = try #require(request.httpBody)
        #expect(String(decoding: body, as: UTF8.self).contains("<Object><Key>b&lt;&amp;&gt;</Key></Object>"))
        let digest = FileDigest(.sha256, of: body).bytes.base64EncodedString()
        #expect(request.value(forHTTPHeaderField: "X-Amz-Checksum-Sha256") == digest)
        #expect(request.url?.query == "delete=")
    }

    @Test func `deleting an object whose key XML cannot represent sends nothing`() async {
        let (bucket, sent) = Bucket.example(respondingWith: 200)
        await expectFailure(.bodyEncodingFailed) {
            try await DeleteObjects(["a", "b\u{1}"], in: bucket).start().value
        }
        #expect(sent.elements.isEmpty)
    }

    @Test func `listing objects continues with the token of the previous page`() async throws {
        let sent = Recorder<String>()
        let bucket = Bucket.example { request in
            sent.record(request.urlRequest.url?.query ?? "")
            let token = sent.elements.count == 1 ? "<NextContinuationToken>a+b/c=</NextContinuationToken>" : ""
            let document = """
                <ListBucketResult><IsTruncated>x</IsTruncated>\(token)<Contents><Key> \(sent.elements.count)</Key>
                <Size> 7 </Size><LastModified>2026-11-21T03:40:42.000Z</LastModified></Contents></ListBucketResult>
                """
            return DataResponse(statusCode: 200, data: Data(document.utf8))
        }
        var objects: [ListedObject] = []
        for try await object in bucket.objects(pageSize: 1).items { objects.append(object) }
        #expect(
            sent.elements == [
                "list-type=2&max-keys=1", "list-type=2&continuation-token=a%2Bb%2Fc%3D&max-keys=1",
            ])
        #expect(objects.map(\.key) == [" 1", " 2"])
        #expect(objects.first?.byteCount == 7)
        #expect(objects.first?.lastModified == Date(timeIntervalSince1970: 1_795_232_442))
    }
}
