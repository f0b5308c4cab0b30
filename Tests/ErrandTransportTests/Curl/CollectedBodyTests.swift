import Dispatch
import TestSupport
import Testing

@testable import Errand

struct `The body of a collected response` {
    /// Collects the pieces in a body, and decodes it.
    private func collect(
        _ pieces: [Data], limit: Int = 1 << 20, expecting count: Int? = nil, coding: String? = nil,
        isOnLoop: Bool = false
    ) async throws -> Data {
        var body = CollectedBody(limit: limit)
        body.begin(expecting: count, codings: try ContentCoding.list(coding ?? ""))
        for piece in pieces { try Array(piece).withUnsafeBufferPointer { try body.receive($0) } }
        return try await body.decoded(isOnLoop: isOnLoop)
    }

    @Test(arguments: [nil, 0, 6, 1_000, .max, -1] as [Int?])
    func `a collected body is assembled whatever length was announced`(_ count: Int?) async throws {
        let body = try await collect([Data("one".utf8), Data(), Data("two".utf8)], expecting: count)
        #expect(body == Data("onetwo".utf8))
    }

    @Test func `a collected body can have the maximum size and no more`() async throws {
        #expect(try await collect([Data(count: 5), Data(count: 5)], limit: 10).count == 10)
        await #expect(throws: URLError(.dataLengthExceedsMaximum)) {
            try await collect([Data(count: 5), Data(count: 6)], limit: 10)
        }
        await #expect(throws: URLError(.dataLengthExceedsMaximum)) { try await collect([Data(count: 1)], limit: 0) }
        #expect(try await collect([Data(count: 1)], limit: .max).count == 1)
    }

    @Test func `the maximum size applies to decoded bytes`() async throws {
        let size = CodedText.plain.count
        #expect(try await collect([CodedText.gzip], limit: size, coding: "gzip") == CodedText.plain)
        await #expect(throws: URLError(.dataLengthExceedsMaximum)) {
            try await collect([CodedText.gzip], limit: size - 1, coding: "gzip")
        }
    }

    @Test func `a body that expands beyond the maximum size is stopped`() async throws {
        await #expect(throws: URLError(.dataLengthExceedsMaximum)) {
            try await collect([CodedText.megabyteOfZeros], limit: 100_000, coding: "gzip")
        }
    }

    /// Consecutive members without content never reach a limit on the decoded size.
    @Test func `the maximum size also applies to received bytes`() async throws {
        let emptyMember = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        #expect(try await collect([emptyMember, emptyMember], limit: 10, coding: "gzip").isEmpty)
        await #expect(throws: URLError(.dataLengthExceedsMaximum)) {
            try await collect(Array(repeating: emptyMember, count: 1_000), limit: 10_000, coding: "gzip")
        }
    }

    @Test func `a body larger than the buffer for synchronous decoding is complete`() async throws {
        let body = [CodedText.megabyteOfZeros, CodedText.megabyteOfZeros]
        #expect(try await collect(body, limit: 2 << 20, coding: "gzip") == Data(count: 2 << 20))
    }

    @Test(arguments: [false, true])
    func `a body collected on the event loop is decoded off it`(_ isOnLoop: Bool) async throws {
        let executor = CountingExecutor()
        let decoded = try await Task(executorPreference: executor) {
            try await collect([CodedText.gzip], coding: "gzip", isOnLoop: isOnLoop)
        }.value
        #expect(decoded == CodedText.plain)
        // If the task left the executor, it returned with a second job.
        #expect(executor.jobs == (isOnLoop ? 2 : 1))
    }

    @Test func `a truncated coded body is not collected`() async throws {
        await #expect(throws: URLError(.cannotDecodeContentData)) {
            try await collect([CodedText.gzip.dropLast()], coding: "gzip")
        }
    }

    @Test func `a collected body must match its coding unless it is empty`() async throws {
        await #expect(throws: URLError(.cannotDecodeContentData)) {
            try await collect([Data("text".utf8)], coding: "gzip")
        }
        #expect(try await collect([], coding: "gzip").isEmpty)
        #expect(try await collect([Data("text".utf8)], coding: "identity") == Data("text".utf8))
    }
}

/// An executor that counts the jobs of its tasks.
private final class CountingExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "counting")
    private let count = Locked(0)

    var jobs: Int { count.withLock { $0 } }

    func enqueue(_ job: consuming ExecutorJob) {
        count.withLock { $0 += 1 }
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
