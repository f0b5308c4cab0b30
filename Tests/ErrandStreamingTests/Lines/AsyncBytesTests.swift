import Errand
import TestSupport
import Testing

@Suite(.hangGuard) struct `The bytes of a body` {
    @Test func `the bytes of a body are those of all its pieces`() async throws {
        let pieces = [Data([1, 2]), Data(), Data([3]), Data(), Data([0, 255])]
        let bytes = try await body(pieces).bytes.reduce(into: [UInt8]()) { $0.append($1) }
        #expect(bytes == [1, 2, 3, 0, 255])
    }

    @Test func `the bytes of a body can be read on the main actor and with an iterator`() async throws {
        try await Task { @MainActor in
            var sum = 0
            for try await byte in body("abc").bytes { sum += Int(byte) }
            #expect(sum == 97 + 98 + 99)
            var bytes = body("x").bytes.makeAsyncIterator()
            #expect(try await bytes.next() == UInt8(ascii: "x"))
            #expect(try await bytes.next() == nil)
            #expect(try await bytes.next() == nil)
        }.value
    }

    @Test func `the bytes of a body end with the error of an interrupted body`() async throws {
        var bytes = body([Data([7])], thenThrowing: URLError(.timedOut)).bytes.makeAsyncIterator()
        #expect(try await bytes.next() == 7)
        await #expect(throws: URLError.self) { try await bytes.next() }
        #expect(try await bytes.next() == nil)
    }

    @Test func `reading bytes in a cancelled task fails when the next piece is needed`() async throws {
        let gate = Gate()
        let task = Task {
            var bytes = body("a", "b").bytes.makeAsyncIterator()
            _ = try await bytes.next()
            try? await gate.pass()
            return try await bytes.next()
        }
        try await gate.waitForArrivals(1)
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
    }
}
