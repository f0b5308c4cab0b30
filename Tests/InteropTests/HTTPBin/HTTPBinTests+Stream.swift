import Errand
import TestSupport
import Testing

extension `httpbin` {
    struct `Streams` {
        @Test(arguments: TransportUnderTest.allCases, [1, 3, 100])
        func `the values of a stream are delivered one by one`(
            _ transport: TransportUnderTest, _ count: Int
        ) async throws {
            let request = try EchoesRequest("/stream/\(count)", transport.make())
            request.query = ["q": "grüße\n"]
            var ids: [Int] = []
            for try await echo in request.startStream() {
                #expect(echo.url.hasPrefix(try HTTPBin.shared.url.absoluteString + "/stream/\(count)?q="))
                ids.append(echo.id)
            }
            #expect(ids == Array(0..<count))
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `the lines of a stream are delivered one by one`(_ transport: TransportUnderTest) async throws {
            let lines = try PiecesRequest("/stream/20", transport.make()).startStream().lines()
            #expect(try await lines.reduce(into: 0) { $0 += $1.hasSuffix("}") ? 1 : 100 } == 20)
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `an invalid value ends the stream or is delivered as a failure`(
            _ transport: TransportUnderTest
        ) async throws {
            struct Other: Decodable, Sendable {
                var absent: String
            }
            let stream = try PiecesRequest("/stream/3", transport.make()).startStream()
            await expectFailure(.decodingFailed) { for try await _ in stream.values(of: Other.self) {} }
            let failures = try await stream.results(of: Other.self).reduce(into: 0) { count, result in
                if case .failure = result { count += 1 }
            }
            #expect(failures == 3)
        }

        /// The second byte arrives half a minute after the first. A client that waited for both would be too late for
        /// the test.
        @Test(arguments: TransportUnderTest.allCases)
        func `the first byte of a slow stream is delivered before the last`(
            _ transport: TransportUnderTest
        ) async throws {
            let request = try PiecesRequest("/drip", transport.make())
            request.query = ["numbytes": 2, "duration": 60, "delay": 0]
            for try await piece in request.startStream() {
                #expect(piece == Data("*".utf8))
                break
            }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a slow body is received complete and reports its length`(_ transport: TransportUnderTest) async throws {
            let request = try WholeRequest("/drip", transport.make())
            request.query = ["numbytes": 20, "duration": 0.4, "delay": 0.1]
            let watching = Task { [progress = request.downloadProgress] in
                var last: TransferProgress.Snapshot?
                for await snapshot in progress { last = snapshot }
                return last
            }
            #expect(try await request.start().value.data == Data(repeating: UInt8(ascii: "*"), count: 20))
            #expect(await watching.value == .init(completed: 20, total: 20))
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a slow error response fails with its body`(_ transport: TransportUnderTest) async throws {
            for isStreamed in [false, true] {
                let path: RequestPath = "/drip"
                let query: URLQuery = ["numbytes": 5, "duration": 0.1, "code": 503]
                let error = await expectFailure(.unacceptableStatusCode) {
                    if isStreamed {
                        let request = try PiecesRequest(path, transport.make())
                        request.query = query
                        for try await _ in request.startStream() {}
                    } else {
                        let request = try WholeRequest(path, transport.make())
                        request.query = query
                        _ = try await request.start().value
                    }
                }
                #expect(error?.statusCode == 503)
                #expect(error?.bodyPrefix == Data("*****".utf8))
            }
        }

        /// httpbin has one random number generator for all its threads, so this needs a separate server.
        @Test func `the same seed yields the same bytes with and without chunks`() async throws {
            let server = try await HTTPBin()
            defer { server.stop() }
            for transport in TransportUnderTest.allCases {
                func bytes(_ path: RequestPath, _ query: URLQuery) async throws -> Data {
                    let request = try WholeRequest(path, transport.make())
                    request.baseURL = server.url
                    request.query = query
                    return try await request.start().value.data
                }
                let whole = try await bytes("/bytes/50000", ["seed": 7])
                #expect(whole.count == 50_000)
                #expect(Set(whole).count == 256)
                #expect(try await bytes("/bytes/50000", ["seed": 7]) == whole)
                #expect(try await bytes("/bytes/50000", ["seed": 8]) != whole)
                for size in [1_000, 7_777, 100_000] {
                    #expect(try await bytes("/stream-bytes/50000", ["seed": 7, "chunk_size": size]) == whole)
                }
                let request = try PiecesRequest("/stream-bytes/50000", transport.make())
                request.baseURL = server.url
                request.query = ["seed": 7, "chunk_size": 333]
                #expect(try await request.startStream().bytes.reduce(into: Data()) { $0.append($1) } == whole)
            }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a body over the maximum size is not read to its end`(_ transport: TransportUnderTest) async throws {
            for path: RequestPath in ["/bytes/100000", "/stream-bytes/100000"] {
                let request = try WholeRequest(path, transport.make())
                request.maximumBodySize = 50_000
                let error = await expectFailure(.transportFailed) { try await request.start().value }
                #expect((error?.underlyingError as? URLError)?.code == .dataLengthExceedsMaximum)
            }
        }
    }
}
