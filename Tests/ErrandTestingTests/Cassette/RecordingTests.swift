import Errand
import Testing

@testable import ErrandTesting

/// The memory of a recording, which no file shows.
struct `A recording with a maximum size` {
    private var recording = Recording(limit: 100, maximumSize: 250)

    /// Begins to read the response of a request.
    private mutating func begin(sending body: Data? = nil) throws -> Int {
        let begun = recording.begin()
        let id = try #require(begun)
        var request = TransportRequest(URLRequest(url: try .nowhere()))
        request.urlRequest.httpBody = body
        let maker = EntryMaker(request, nil, Date(), Cassette(at: try .nowhere()).recordingRules)
        recording.read(DataResponse(statusCode: 200), maker, id)
        return id
    }

    @Test mutating func `a body is held up to the limit, and counted to its end`() throws {
        let id = try begin()
        for _ in 0..<50 { recording.append(Data(repeating: 1, count: 30), id) }
        let taken = recording.takeDraft(id)
        let draft = try #require(taken)
        #expect(draft.body.count == 100)
        #expect(draft.count == 1500)
    }

    @Test mutating func `the oldest response is released while it is read`() throws {
        let ids = try (0..<3).map { _ in try begin() }
        for id in ids { recording.append(Data(repeating: 1, count: 100), id) }
        #expect(recording.removedCount == 1)
        #expect(recording.drafts == Array(ids.dropFirst()))
        recording.append(Data(repeating: 1, count: 100), ids[0])
        let removed = recording.takeDraft(ids[0])
        #expect(removed == nil)
    }

    @Test mutating func `the size of an entry replaces that of the bytes that were read`() throws {
        let id = try begin()
        recording.append(Data(repeating: 1, count: 100), id)
        let taken = recording.takeDraft(id)
        let draft = try #require(taken)
        recording.record(draft.maker.entry(of: draft, .whole), size: 251, id)
        #expect(recording.entries.isEmpty && recording.removedCount == 1)
        let next = try begin()
        recording.record(nil, size: 0, next)
        #expect(recording.count == 2 && recording.removedCount == 1)
    }

    @Test mutating func `an entry that is too large or cannot be encoded removes no other`() throws {
        let ids = try (0..<3).map { _ in try begin() }
        for (id, size) in zip(ids, [250, 251, nil]) {
            let taken = recording.takeDraft(id)
            let draft = try #require(taken)
            recording.record(draft.maker.entry(of: draft, .whole), size: size, id)
        }
        #expect(recording.entries.count == 1 && recording.removedCount == 2)
    }

    @Test mutating func `responses that are being read and entries have the same maximum, each for itself`() throws {
        let id = try begin()
        let taken = recording.takeDraft(id)
        let draft = try #require(taken)
        recording.record(draft.maker.entry(of: draft, .whole), size: 200, id)
        for id in try (0..<2).map({ _ in try begin() }) { recording.append(Data(repeating: 1, count: 100), id) }
        #expect(recording.removedCount == 0 && recording.entries.count == 1 && recording.drafts.count == 2)
    }

    @Test mutating func `the body of a request counts while its response is read`() throws {
        let ids = try (0..<2).map { _ in try begin(sending: Data(repeating: 65, count: 90)) }
        for id in ids { recording.append(Data(repeating: 1, count: 50), id) }
        #expect(recording.drafts == [ids[1]] && recording.removedCount == 1)
    }

    @Test mutating func `a response that alone is too large is removed alone while it is read`() throws {
        let ids = try [0, 200].map { try begin(sending: Data(repeating: 65, count: $0)) }
        for (id, count) in zip(ids, [20, 60]) { recording.append(Data(repeating: 1, count: count), id) }
        #expect(recording.drafts == [ids[0]] && recording.removedCount == 1)
    }

    @Test mutating func `the streamed bodies of requests count while they are sent`() throws {
        let ids = [recording.begin(), recording.begin(), recording.begin()].compactMap(\.self)
        let held = ids.map { recording.hold(100, $0) }
        #expect(held == [true, true, true] && recording.removedCount == 1)
        let isHeld = recording.hold(100, ids[0])
        #expect(!isHeld)
    }

    @Test func `a streamed request body is released when its request is removed`() async throws {
        let isHeld = Locked(true)
        let pieces = AsyncStream(unfolding: { Data("abc".utf8) })
        let tap = RequestBodyTap(BodyStream(pieces), limit: 10) { _ in isHeld.withLock { $0 } }
        let read = try tap.stream.open()
        _ = try await read()
        #expect(tap.body.data == Data("abc".utf8))
        isHeld.withLock { $0 = false }
        _ = try await read()
        #expect(tap.body.data.isEmpty && tap.body.count == 6)
    }

    @Test func `a recorder counts the streamed bodies of concurrent requests`() async throws {
        let rules = RecordingRules(
            redaction: Cassette.Redaction(), maximumBodySize: 600, maximumSize: 1000, now: { Date() },
            failure: { _ in nil }, kept: { $0 })
        let recorder = Recorder(rules)
        @Sendable func send(whileSending inner: @escaping @Sendable () async throws -> Void) async throws {
            var request = TransportRequest(URLRequest(url: try .nowhere()))
            request.bodyStream = BodyStream(AsyncStream(unfolding: { Data(repeating: 65, count: 600) }))
            let next = Next { sent in
                _ = try await sent.bodyStream?.open()()
                try await inner()
                return DataResponse(statusCode: 200)
            }
            _ = try await recorder.record(request, next: next)
        }
        try await send {
            #expect(recorder.ended().removedCount == 0)
            try await send { #expect(recorder.ended().removedCount == 1) }
        }
    }

    @Test func `an entry that cannot be encoded is not recorded`() async throws {
        let rules = RecordingRules(
            redaction: Cassette.Redaction(), maximumBodySize: 0, maximumSize: 1000, now: { Date() },
            failure: { _ in nil },
            kept: { entry in
                var entry = entry
                entry.time = .infinity
                return entry
            })
        let recorder = Recorder(rules)
        _ = try await recorder.record(
            TransportRequest(URLRequest(url: try .nowhere())), next: Next { _ in DataResponse(statusCode: 200) })
        #expect(recorder.entries.isEmpty && recorder.ended().removedCount == 1)
    }
}
