import Errand
import TestSupport
import Testing

extension `httpbin` {
    struct `Request bodies` {
        /// A POST of this body, or a request with another method.
        private func echo(
            of body: RequestBody, _ transport: any Transport, method: RequestMethod = .post
        ) async throws -> Echo {
            let request = try EchoRequest("/\(method.rawValue.lowercased())", transport)
            request.method = method
            request.body = body.withAnyMethod()
            return try await request.start().value
        }

        @Test(arguments: TransportUnderTest.allCases, [RequestMethod.post, .put, .patch, .delete])
        func `a JSON body is received as the same value`(
            _ transport: TransportUnderTest, _ method: RequestMethod
        ) async throws {
            let book = Book(title: "Grüße & \"mehr\" 🙂", year: 1979, tags: ["a", "b"])
            let echo = try await echo(of: .json(book), transport.make(), method: method)
            #expect(echo.json == book)
            #expect(echo.headers[.contentType] == "application/json")
            #expect(echo.form.isEmpty)
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a URL-encoded form is received with the same fields`(_ transport: TransportUnderTest) async throws {
            let hard = "a b+c&d=e%20;ü🙂\r\n*-._~"
            let body = RequestBody.urlEncoded(["user": "ada", "tag": "one", "tag": "two", hard: hard, "none": ""])
            let echo = try await echo(of: body, transport.make())
            #expect(echo.form == ["user": ["ada"], "tag": ["one", "two"], hard: [hard], "none": [""]])
            #expect(echo.headers[.contentType] == "application/x-www-form-urlencoded")
            #expect(echo.data.isEmpty)
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a multipart form is received with its fields and files`(_ transport: TransportUnderTest) async throws {
            let directory = try TemporaryDirectory()
            let image = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x00, 0xFF, 0xFE])
            let file = URL(fileURLWithPath: try directory.write(image, to: "pic.png"))
            let body = RequestBody.multipart([
                .text("title", "Grüße & mehr"), .text("tag", "one"), .text("tag", "two"),
                .json("place", ["sea"], fileName: "place.json").with(headers: ["X-Extra": "1"]),
                .file("photo", file), .data("note", Data("a\r\nb".utf8), fileName: "übung \"1\".txt", type: .plainText),
            ])
            let echo = try await echo(of: body, transport.make())
            #expect(echo.form == ["title": ["Grüße & mehr"], "tag": ["one", "two"]])
            #expect(Set(echo.files.keys) == ["photo", "note", "place"])
            #expect(echo.files["place"] == [#"["sea"]"#])
            let photo = try #require(echo.files["photo"]?.first)
            #expect(photo.hasPrefix("data:image/png;"))
            #expect(Echo.bytes(of: photo) == image)
            #expect(echo.files["note"] == ["a\r\nb"])
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `binary bytes are received unchanged`(_ transport: TransportUnderTest) async throws {
            let bytes = Data((0...255).map { UInt8($0) } + [0, 13, 10, 0])
            let echo = try await echo(of: .data(bytes), transport.make(), method: .put)
            #expect(echo.data == bytes)
            #expect(echo.headers[.contentType] == "application/octet-stream")
            #expect(echo.headers[.contentLength] == "260")
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `an empty body is sent with Content-Length: 0`(_ transport: TransportUnderTest) async throws {
            let echo = try await echo(of: .data(Data()), transport.make())
            #expect(echo.data.isEmpty)
            #expect(echo.headers[.contentLength] == "0")
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a gzipped body is sent with Content-Encoding: gzip`(_ transport: TransportUnderTest) async throws {
            let text = RequestBody.text(String(repeating: "all work and no play ", count: 1_000))
            let echo = try await echo(of: text.gzipped(), transport.make())
            #expect(echo.headers[.contentEncoding] == "gzip")
            #expect(echo.data.starts(with: [0x1F, 0x8B]))
            #expect(echo.data.count < 1_000)
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a stream of unknown length is received complete`(_ transport: TransportUnderTest) async throws {
            let pieces = (0..<50).map { Data("piece \($0);".utf8) }
            let stream = AsyncStream { continuation in
                for piece in pieces { continuation.yield(piece) }
                continuation.finish()
            }
            let echo = try await echo(of: .stream(BodyStream(stream), type: .plainText), transport.make())
            #expect(echo.data == Data(pieces.joined()))
            // `URLSession` reads the whole stream before it sends it, so it knows the length.
            if transport == .curl {
                #expect(echo.headers[.transferEncoding] == "chunked")
                #expect(echo.headers[.contentLength] == nil)
            }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `five megabytes are sent with progress and received again`(_ transport: TransportUnderTest) async throws {
            let count = 5 << 20
            let bytes = Data.sample(count)
            let request = try EchoRequest("/post", transport.make())
            request.method = .post
            request.body = .data(bytes)
            let watching = Task { [progress = request.uploadProgress] in
                var snapshots: [TransferProgress.Snapshot] = []
                for await snapshot in progress { snapshots.append(snapshot) }
                return snapshots
            }
            let echo = try await request.start().value
            #expect(echo.data == bytes)
            #expect(request.downloadProgress.latest?.completed ?? 0 > count)
            let snapshots = await watching.value
            #expect(snapshots.last == .init(completed: Int64(count), total: Int64(count)))
            #expect(snapshots.allSatisfy { $0.total == Int64(count) })
            #expect(zip(snapshots, snapshots.dropFirst()).allSatisfy { $0.completed <= $1.completed })
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a file is sent unchanged`(_ transport: TransportUnderTest) async throws {
            let directory = try TemporaryDirectory()
            let bytes = Data.sample(700_000)
            let file = URL(fileURLWithPath: try directory.write(bytes, to: "file.bin"))
            let echo = try await echo(of: .file(file), transport.make(), method: .put)
            #expect(echo.data == bytes)
            #expect(echo.headers[.contentLength] == "700000")
        }
    }
}
