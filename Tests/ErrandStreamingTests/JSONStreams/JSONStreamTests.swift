import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `A stream of JSON` {
    private struct Reading: Codable, Equatable {
        var id: Int
    }

    private final class ReadingsRequest: APIBase, StreamingRequest {
        init(_ url: URL? = URL(string: "https://meters.example.com/readings")) {
            super.init()
            baseURL = url
            timeoutInterval = .hangGuard
        }
        func startStream() -> ResponseStream { sendStream() }
    }

    private let good = #"{"id": 1}"# + "\n" + #"{"id": 2}"#

    private func readings(_ values: some AsyncSequence<Reading, any Error> & Sendable) async throws -> [Int] {
        try await values.reduce(into: []) { $0.append($1.id) }
    }

    @Test func `a JSON stream yields its values one by one, the last without a line end`() async throws {
        #expect(try await readings(body(good).values(of: Reading.self)) == [1, 2])
    }

    @Test func `a JSON stream can begin with a byte order mark`() async throws {
        #expect(try await readings(body("\u{FEFF}" + good).values(of: Reading.self)) == [1, 2])
    }

    @Test func `a JSON stream yields a value as soon as it has arrived`() async throws {
        let server = try MockServer()
        let gates = Gates(3)
        let chunks = ["{\"id\": 1}\n", "{\"id\": 2}\n"].map { Data($0.utf8) }
        server.onAny { _ in .chunked(chunks).with(fault: .pauseBeforeEachChunk(gates.passNext)) }
        var values = ReadingsRequest(server.url).startStream().values(of: Reading.self).makeAsyncIterator()
        gates.open(0)
        #expect(try await values.next() == Reading(id: 1))
        gates.open(1)
        #expect(try await values.next() == Reading(id: 2))
        gates.open(2)
        #expect(try await values.next() == nil)
    }

    @Test(arguments: [
        "\u{FEFF}\u{FEFF}[{\"id\":1}]", " \u{FEFF}\u{FEFF}[{\"id\":1}]", "\u{FEFF} \u{FEFF}[{\"id\":1}]",
    ])
    func `a JSON array with a second byte order mark is not an array`(_ text: String) async throws {
        for size in 1...text.utf8.count {
            let bytes = Array(text.utf8)
            let pieces = stride(from: 0, to: bytes.count, by: size).map {
                Data(bytes[$0..<min($0 + size, bytes.count)])
            }
            await #expect(throws: (any Error).self) {
                for try await value in body(pieces).values(of: Reading.self, framing: .array) { _ = value }
            }
        }
    }

    @Test(arguments: [[0xBF, 0xBB, 0xEF], [0xEF], [0xEF, 0xBB], [0xBB]] as [[UInt8]])
    func `a JSON array with a part of a byte order mark is not an array`(_ mark: [UInt8]) async throws {
        await #expect(throws: (any Error).self) {
            let pieces = [Data(mark + Array("[{\"id\":1}]".utf8))]
            for try await value in body(pieces).values(of: Reading.self, framing: .array) { _ = value }
        }
    }

    @Test func `a JSON stream can be framed by record separators`() async throws {
        let body = body("\u{1E}{\"id\"", ":1}\n\u{1E}{\"id\":\n2}", "\n")
        #expect(try await readings(body.values(of: Reading.self, framing: .textSequence)) == [1, 2])
    }

    @Test(arguments: 1...20)
    func `a JSON stream can be an array whose elements are yielded one by one`(_ size: Int) async throws {
        let text = Array(" [{\"id\":1}, {\"id\":\n2,\"x\":[\"],\\\"\"]} ,{\"id\":3}\n] \n".utf8)
        let pieces = stride(from: 0, to: text.count, by: size).map {
            Data(text[$0..<min($0 + size, text.count)])
        }
        let values = body(pieces).values(of: Reading.self, framing: .array)
        #expect(try await readings(values) == [1, 2, 3])
    }

    @Test(
        arguments: [
            ("[]", [], nil), (" [ ] ", [], nil), ("\u{FEFF}[{\"id\":1}]", [1], nil),
            ("[{\"id\":1},{\"id\":2}", [1], "the body ends before the array, at value 2"),
            ("[{\"id\":1},", [1], "the body ends before the array, at value 2"),
            ("", [], "the body ends before the array, at value 1"), ("{\"id\":1}", [], "the body is not an array"),
            ("[{\"id\":1}] {", [1], "the body continues after the array"),
            ("[{\"id\":1},]", [1], "value 2 is missing: a comma or the end of the array is in its place"),
            ("[{\"id\":1} {\"id\":2}]", [], "value 1: not JSON at line 1, column 10: expected the end of the document"),
            ("[{\"id\":1},{\"id\":\"a long text, longer than 20 bytes\"}]", [1], "value 2 has more than 20 bytes"),
        ] as [(String, [Int], String?)])
    func `an error in a JSON array is thrown after the elements before it`(
        _ text: String, _ ids: [Int], _ reason: String?
    ) async throws {
        var found: [Int] = []
        var failure: ErrandError?
        do {
            for try await reading in body(text).values(of: Reading.self, framing: .array, maximumLength: 20) {
                found.append(reading.id)
            }
        } catch {
            failure = error as? ErrandError
        }
        #expect(found == ids)
        #expect(failure?.reason == reason)
    }

    @Test(arguments: [
        (["{\"id\":1}", " {\"id\":2}", "]"], "the body is not an array"),
        (["[]", " {", "} []"], "the body continues after the array"),
    ])
    func `a body that is not one array has one error, wherever it is split`(
        _ pieces: [String], _ reason: String
    ) async throws {
        for pieces in [pieces, [pieces.joined()], pieces.joined().map { "\($0)" }] {
            let results = body(pieces.map { Data($0.utf8) }).results(of: Reading.self, framing: .array)
            let reasons = try await results.reduce(into: [String?]()) { reasons, result in
                if case .failure(let error) = result { reasons.append(error.reason) }
            }
            #expect(reasons == [reason])
        }
    }

    @Test func `a JSON stream uses the decoder passed by the caller`() async throws {
        struct Moment: Decodable { var at: Date }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let moments = body("{\"at\": 7}\n").values(of: Moment.self, decoder: decoder)
        #expect(try await moments.reduce(into: []) { $0.append($1.at) } == [Date(timeIntervalSince1970: 7)])
    }

    @Test func `a JSON stream throws at the first invalid value`() async throws {
        let request = ReadingsRequest()
        request.dataTaskPipeline = request.stubStream(["{\"id\": 1}\n{\"id\": \"secret\"}\n{\"id\": 3}\n"])
        var values = request.startStream().values(of: Reading.self).makeAsyncIterator()
        #expect(try await values.next() == Reading(id: 1))
        let error = await expectFailure(.decodingFailed) { try await values.next(isolation: #isolation) }
        #expect(error?.reason == "value 2: id is a string, not Int, at line 1, column 8")
        #expect(error?.underlyingError is DecodingError)
        #expect(error?.bodyPrefix == Data("{\"id\": \"secret\"}".utf8))
        #expect(error?.url?.absoluteString == "https://meters.example.com/readings")
        #expect("\(String(describing: error))".contains("secret") == false)
        #expect(try await values.next() == nil)
    }

    @Test func `a JSON stream of results continues after each invalid value`() async throws {
        let request = ReadingsRequest()
        request.dataTaskPipeline = request.stubStream([
            "{\"id\": 1}\nno\n", "{\"id\": 3, \"x\": \"0123456789\"}\n{\"id\": 4}\n{",
        ])
        var found: [String] = []
        for try await result in request.startStream().results(of: Reading.self, maximumLength: 20) {
            switch result {
            case .success(let reading): found.append("\(reading.id)")
            case .failure(let error):
                found.append("\(error.code)")
                #expect(error.url?.host == "meters.example.com")
            }
        }
        #expect(found == ["1", "decodingFailed", "elementTooLarge", "4", "decodingFailed"])
    }

    @Test(arguments: [
        ("\u{1E}7", "value 1 may be cut off, since no white space follows it"),
        ("7\n", "the bytes before value 1 do not begin with a record separator"),
    ])
    func `the error of a JSON text sequence describes the fault`(_ text: String, _ reason: String) async throws {
        let values = body(text).values(of: Int.self, framing: .textSequence)
        let error = await expectFailure(.decodingFailed) { try await values.reduce(into: []) { $0.append($1) } }
        #expect(error?.reason == reason)
    }

    @Test func `bytes before a value of a JSON text sequence do not count as a value`() async throws {
        var found: [String] = []
        for try await result in body("x\n\u{1E}7\ny\u{1E}z\n").results(of: Int.self, framing: .textSequence) {
            switch result {
            case .success(let value): found.append("\(value)")
            case .failure(let error): found.append(error.reason ?? "")
            }
        }
        #expect(found.count == 4)
        #expect(found[0] == "the bytes before value 1 do not begin with a record separator")
        #expect(found[1] == "7")
        #expect(found[2] == "the bytes before value 2 do not begin with a record separator")
        #expect(found[3].hasPrefix("value 2: "))
    }

    @Test(arguments: [true, false])
    func `a JSON stream throws the error of the transport as values and as results`(_ wantsResults: Bool) async throws {
        let broken = body([Data("{\"id\": 1}\n{\"id\"".utf8)], thenThrowing: ErrandError(.timedOut))
        var count = 0
        await expectFailure(.timedOut) {
            if wantsResults {
                for try await _ in broken.results(of: Reading.self) { count += 1 }
            } else {
                for try await _ in broken.values(of: Reading.self) { count += 1 }
            }
        }
        #expect(count == 1)
    }

    @Test func `a JSON stream closes the connection at an invalid value`() async throws {
        let server = try MockServer()
        server.onAny { _ in .chunked([Data("no\n".utf8), Data("1\n".utf8)]).with(fault: .stallInBody(after: 3)) }
        var values = ReadingsRequest(server.url).startStream().values(of: Int.self).makeAsyncIterator()
        await expectFailure(.decodingFailed) { try await values.next(isolation: #isolation) }
        try await server.waitUntil(openConnections: 0)
        #expect(try await values.next() == nil)
    }
}
