import TestSupport
import Testing

@testable import Errand

struct `A multipart form` {
    @Test func `a multipart form is encoded as browsers encode it`() throws {
        let form = MultipartForm(
            [.text("title", "Summer"), .data("data", Data("1,2".utf8), fileName: "a.csv", type: .csv)], boundary: "b")
        let expected = """
            --b\r
            Content-Disposition: form-data; name="title"\r
            \r
            Summer\r
            --b\r
            Content-Disposition: form-data; name="data"; filename="a.csv"\r
            Content-Type: text/csv\r
            \r
            1,2\r
            --b--\r

            """
        #expect(try RequestBody.multipart(form).data.map { String(decoding: $0, as: UTF8.self) } == expected)
        #expect(RequestBody.multipart(form).type?.description == "multipart/form-data; boundary=b")
    }

    @Test func `a multipart form without parts has only the closing boundary`() throws {
        #expect(try RequestBody.multipart(MultipartForm(boundary: "b")).data == Data("--b--\r\n".utf8))
    }

    @Test(arguments: [
        ("a\"b", "a%22b", "a%22b"), ("a\r\nb", "a%0D%0Ab", "a%0D%0Ab"), ("a\nb", "a%0D%0Ab", "a%0Ab"),
        ("a\rb", "a%0D%0Ab", "a%0Db"), ("ä%\\'", "ä%\\'", "ä%\\'"), ("", "", ""),
        ("\u{307}a", "\u{307}a", "\u{307}a"),
    ])
    func `names and file names in a multipart form are escaped as the WHATWG specifies`(
        _ text: String, _ name: String, _ fileName: String
    ) throws {
        let part = try #require(try read([.data(text, Data(), fileName: text)]).first)
        #expect(part.name == name)
        #expect(part.fileName == fileName)
    }

    @Test(arguments: [
        ("a\nb", "a\r\nb"), ("a\rb", "a\r\nb"), ("a\r\nb", "a\r\nb"), ("\n\r\n\r", "\r\n\r\n\r\n"),
        ("\r\r\n\n", "\r\n\r\n\r\n"), ("ä \"b\"", "ä \"b\""), ("", ""),
    ])
    func `only line breaks of text parts in a multipart form become CRLF`(_ text: String, _ written: String) throws {
        let parts = try read([.text("a", text), .data("b", Data(text.utf8))])
        #expect(parts.map(\.text) == [written, text])
        #expect(parts.map(\.type) == [nil, "application/octet-stream"])
    }

    @Test func `a decoded multipart form has parts of every kind in order`() async throws {
        let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ ($0 >> 8)) })
        let file = try TemporaryFile(bytes, pathExtension: "png")
        let body = RequestBody.multipart([
            .text("one", "first"),
            .file("two", file.url),
            .data("three", bytes),
            .file("four", file.url, fileName: "4.bin", type: .octetStream),
            .stream("five", BodyStream(InputStream(data: Data("fifth".utf8)), count: 5), fileName: "5"),
            .data("six", Data("{}".utf8), type: .json),
        ])
        let stream = try #require(try body.stream)
        let content = try await stream.contents()
        #expect(stream.count == content.count)
        #expect(!stream.canBeReadAgain)
        let parts = try MultipartReader.parts(of: content, contentType: body.type?.description)
        #expect(
            parts == [
                .init(name: "one", content: Data("first".utf8)),
                .init(name: "two", fileName: file.url.lastPathComponent, type: "image/png", content: bytes),
                .init(name: "three", type: "application/octet-stream", content: bytes),
                .init(name: "four", fileName: "4.bin", type: "application/octet-stream", content: bytes),
                .init(name: "five", fileName: "5", type: "application/octet-stream", content: Data("fifth".utf8)),
                .init(name: "six", type: "application/json", content: Data("{}".utf8)),
            ])
    }

    @Test func `control characters are sent in part names and rejected in part header fields`() throws {
        let body = RequestBody.multipart([.data("a\u{1}", Data("b".utf8), fileName: "c\u{7F}", type: "text/plain")])
        let data = try #require(try body.data)
        let parts = try MultipartReader.parts(of: data, contentType: body.type?.description)
        #expect(parts.map(\.name) == ["a\u{1}"])
        #expect(parts.map(\.fileName) == ["c\u{7F}"])
        let refused = RequestBody.multipart([.text("a", "b").with(headers: ["X-A": "\u{1}"])])
        #expect { try refused.content() } throws: { ErrandError.Code.invalidHeaderField ~= $0 }
    }

    @Test func `a multipart form is data if its parts are, and has no count if one part has none`() async throws {
        let bytes = Data(count: 100_000)
        let inMemory = RequestBody.multipart([.data("a", bytes), .text("b", "c"), .data("d", bytes)])
        let data = try #require(try inMemory.data)
        let parts = try MultipartReader.parts(of: data, contentType: inMemory.type?.description)
        #expect(parts.map(\.content) == [bytes, Data("c".utf8), bytes])
        let uncounted = RequestBody.multipart([.stream("a", BodyStream(InputStream(data: Data("x".utf8))))])
        let stream = try #require(try uncounted.stream)
        #expect(stream.count == nil)
        let content = try await stream.contents()
        #expect(try MultipartReader.parts(of: content, contentType: uncounted.type?.description).map(\.text) == ["x"])
    }

    @Test(arguments: [
        "", String(repeating: "b", count: 71), "a ", "a\"b", "a\r\nb", "ä", "a\u{7F}", "a;b", "a[b",
    ])
    func `a multipart form with an invalid boundary is rejected`(_ boundary: String) {
        let body = RequestBody.multipart(MultipartForm(boundary: boundary))
        #expect { try body.content() } throws: { ErrandError.Code.bodyEncodingFailed ~= $0 }
    }

    @Test func `a multipart form accepts every valid boundary and quotes it if necessary`() throws {
        for boundary in ["a b", "'()+_,-./:=?", String(repeating: "b", count: 70)] {
            let body = RequestBody.multipart(MultipartForm([.text("a", "b")], boundary: boundary))
            let parts = try MultipartReader.parts(of: #require(try body.data), contentType: body.type?.description)
            #expect(parts.map(\.text) == ["b"])
            #expect(body.type?["boundary"] == boundary)
        }
        #expect(MultipartForm(boundary: "a").boundary == "a")
    }

    @Test func `the default boundary of a multipart form is unique and needs no quotes`() {
        let boundaries = (0..<100).map { _ in MultipartForm().boundary }
        #expect(Set(boundaries).count == 100)
        for boundary in boundaries { #expect(boundary.isHTTPToken && boundary.count <= 70) }
    }

    @Test func `a multipart form with an invalid media type or a missing file is rejected`() async {
        let mistyped = RequestBody.multipart([.data("a", Data(), type: "nonsense")])
        #expect { try mistyped.content() } throws: { ErrandError.Code.invalidHeaderField ~= $0 }
        let missing = RequestBody.multipart([.file("a", URL(fileURLWithPath: "/nowhere/a.png"))])
        #expect { try missing.content() } throws: { ErrandError.Code.bodyEncodingFailed ~= $0 }
    }

    @Test(arguments: [UInt64(99_999), 100_001, 0, 300_000])
    func `a multipart form fails if a file changes its size after the request was built`(_ count: UInt64) async throws {
        let file = try TemporaryFile(Data(count: 100_000))
        let stream = try #require(try RequestBody.multipart([.text("a", "b"), .file("c", file.url)]).stream)
        try file.resize(to: count)
        await expectFailure(.bodyCountMismatch) { try await stream.contents() }
    }

    @Test func `a multipart form can be read again if every part can be`() async throws {
        let file = try TemporaryFile(Data("file".utf8))
        let again = try #require(try RequestBody.multipart([.file("a", file.url), .text("b", "c")]).stream)
        #expect(try await again.contents() == again.contents())
        try again.claimForSending()
        try again.claimForSending()

        let once = BodyStream(InputStream(data: Data("once".utf8)), count: 4)
        let body = RequestBody.multipart([.file("a", file.url), .stream("b", once)])
        let (first, second) = (try #require(try body.stream), try #require(try body.stream))
        try first.claimForSending()
        #expect { try first.claimForSending() } throws: { ErrandError.Code.bodyStreamAlreadyOpened ~= $0 }
        // The form was encoded a second time, but the stream in it is the same.
        #expect { try second.claimForSending() } throws: { ErrandError.Code.bodyStreamAlreadyOpened ~= $0 }
        _ = try await first.contents()
        #expect { try first.open() } throws: { ErrandError.Code.bodyStreamAlreadyOpened ~= $0 }
    }

    @Test func `a multipart form with a stream that is already open is rejected`() async {
        let stream = InputStream(data: Data("x".utf8))
        stream.open()
        let request = Probe(RecordingTransport(), method: .post)
        request.body = .multipart([.stream("a", BodyStream(stream))])
        await expectFailure(.bodyStreamAlreadyOpened) { try await request.sendRequest().value }
    }

    @Test func `reading a multipart form fails with the error of a part`() async throws {
        let failing = AsyncThrowingStream<Data, any Error> { throw Fault.first }
        let stream = try #require(
            try RequestBody.multipart([.text("a", "b"), .stream("c", BodyStream(failing))]).stream)
        await #expect(throws: Fault.first) { try await stream.contents() }
    }

    @Test func `the description of a multipart form does not contain its data`() {
        let form = MultipartForm([
            .text("field", "planted"), .data("field", Data("planted".utf8)),
            .file("f", URL(fileURLWithPath: "/planted")),
        ])
        var dumped = ""
        dump(form, to: &dumped)
        dump(form.parts, to: &dumped)
        dump(RequestBody.multipart(form), to: &dumped)
        dump(RequestBody.text("planted"), to: &dumped)
        let texts = ["\(form)", "\(form.parts)", String(reflecting: form), String(reflecting: form.parts)]
        for text in texts + [dumped, "\(RequestBody.data(Data("planted".utf8), type: .csv))"] {
            #expect(!text.contains("planted"))
        }
        #expect(dumped.contains("field"))
    }

    private func read(_ parts: [MultipartForm.Part]) throws -> [MultipartReader.Part] {
        let body = RequestBody.multipart(MultipartForm(parts))
        return try MultipartReader.parts(of: #require(try body.data), contentType: body.type?.description)
    }
}
