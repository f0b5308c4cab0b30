import Errand
import TestSupport
import Testing

extension `httpbin` {
    struct `Ranges and downloads` {
        /// The body of `/range/…`: the alphabet, over and over.
        private func letters(_ range: Range<Int>) -> Data {
            Data(range.map { UInt8(ascii: "a") + UInt8($0 % 26) })
        }

        /// The response to a range request.
        struct Part: Sendable, CustomTestStringConvertible {
            var field: String
            var range: Range<Int>

            var testDescription: String { field }

            static let all = [
                Part(field: "bytes=5-9", range: 5..<10), Part(field: "bytes=990-", range: 990..<1_000),
                Part(field: "bytes=-30", range: 970..<1_000), Part(field: "bytes=0-0", range: 0..<1),
            ]
        }

        @Test(arguments: TransportUnderTest.allCases, Part.all)
        func `a range request receives the requested part`(_ transport: TransportUnderTest, _ part: Part) async throws {
            let request = try WholeRequest("/range/1000", transport.make())
            request.headers[.range] = part.field
            let response = try await request.start().value
            #expect(response.statusCode == 206)
            #expect(response.data == letters(part.range))
            #expect(
                response.headers[.contentRange] == "bytes \(part.range.lowerBound)-\(part.range.upperBound - 1)/1000")
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a range after the end fails with the total size`(_ transport: TransportUnderTest) async throws {
            let request = try WholeRequest("/range/1000", transport.make())
            request.headers[.range] = "bytes=1000-"
            let error = await expectFailure(.unacceptableStatusCode) { try await request.start().value }
            #expect(error?.statusCode == 416)
            #expect(error?.headers[.contentRange] == "bytes */1000")
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a request without a range receives the whole document`(_ transport: TransportUnderTest) async throws {
            let request = try WholeRequest("/range/26", transport.make())
            request.query = ["duration": 0.1, "chunk_size": 5]
            let response = try await request.start().value
            #expect(response.statusCode == 200)
            #expect(response.data == letters(0..<26))
            #expect(response.headers[.acceptRanges] == "bytes")
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a file is downloaded completely`(_ transport: TransportUnderTest) async throws {
            let directory = try TemporaryDirectory()
            let request = try FileRequest("/range/102400", transport.make())
            request.target = directory.url.appendingPathComponent("letters")
            let file = try await request.start().value
            #expect(file.byteCount == 102_400)
            #expect(file.resumedByteCount == 0)
            #expect(try Data(contentsOf: request.target) == letters(0..<102_400))
            #expect(request.downloadProgress.latest == .init(completed: 102_400, total: 102_400))
        }

        /// The entity tags of httpbin have no quotes, so they are invalid (RFC 9110, section 8.8.3), and a download
        /// cannot use them to resume. Resuming is tested with nginx, and below with a proxy that corrects the tags.
        @Test(arguments: TransportUnderTest.allCases)
        func `a download without a valid entity tag restarts from the beginning`(
            _ transport: TransportUnderTest
        ) async throws {
            let directory = try TemporaryDirectory()
            let request = try FileRequest("/range/102400", transport.make())
            request.target = directory.url.appendingPathComponent("letters")
            try await interrupt(request)
            let file = try await request.start().value
            #expect(file.statusCode == 200)
            #expect(file.resumedByteCount == 0)
            #expect(try Data(contentsOf: request.target) == letters(0..<102_400))
        }

        @Test(.interop(.nginx), arguments: TransportUnderTest.allCases)
        func `an interrupted download is resumed`(_ transport: TransportUnderTest) async throws {
            let directory = try TemporaryDirectory()
            let httpbin = try HTTPBin.shared.url.absoluteString
            let proxy = try await Nginx(
                """
                location / {
                    proxy_pass \(httpbin);
                    proxy_buffering off;
                    proxy_hide_header ETag;
                    add_header ETag '"$upstream_http_etag"';
                }
                """)
            let request = try FileRequest("/range/102400", transport.make())
            request.baseURL = try proxy.url()
            request.target = directory.url.appendingPathComponent("letters")
            try await interrupt(request)
            let file = try await request.start().value
            #expect(file.statusCode == 206)
            #expect(file.resumedByteCount > 0 && file.resumedByteCount <= 1_000)
            #expect(try Data(contentsOf: request.target) == letters(0..<102_400))
        }

        /// Interrupts a run after the first bytes.
        private func interrupt(_ request: FileRequest) async throws {
            let transport = try #require(request.session)
            request.session = StallingTransport(transport)
            defer { request.session = transport }
            let pipeline = request.start()
            let task = Task { try await pipeline.value }
            for await snapshot in request.downloadProgress where snapshot.completed > 0 { break }
            task.cancel()
            await expectFailure(.cancelled) { try await task.value }
        }
    }
}
