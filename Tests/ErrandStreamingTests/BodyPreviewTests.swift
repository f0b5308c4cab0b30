import ErrandTesting
import Testing

@testable import Errand

struct `The preview of a body` {
    private let clock = ManualClock()

    /// A body that produces a byte each second, and never ends.
    private var dripping: ResponseBody {
        let count = Locked<UInt8>(0)
        return ResponseBody { [clock] in
            clock.advance(by: .seconds(1))
            return count.withLock { count in
                count &+= 1
                return Data([count])
            }
        }
    }

    @Test func `a body preview of a slow body ends at its time limit and loses no bytes`() async throws {
        let preview = BodyPreview(dripping, maximumWait: 5, clock: clock)
        #expect(try await preview.start() == Data([1, 2, 3, 4, 5]))
        #expect(clock.now.offset == .seconds(5))
        let read = preview.reader
        #expect(try await read() == Data([1, 2, 3, 4, 5]))
        #expect(try await read() == Data([6]))
    }

    @Test func `a second preview begins with the bytes of the first`() async throws {
        let preview = BodyPreview(dripping, maximumWait: 2, clock: clock)
        #expect(try await preview.start() == Data([1, 2]))
        #expect(try await preview.start() == Data([1, 2, 3, 4]))
        #expect(try await preview.reader() == Data([1, 2, 3, 4]))
    }

    @Test func `a preview of a body that fails keeps the bytes before the failure`() async throws {
        let pieces = Locked([Data("ab".utf8)])
        let body = ResponseBody {
            guard let piece = pieces.withLock({ $0.popLast() }) else { throw URLError(.networkConnectionLost) }
            return piece
        }
        let preview = BodyPreview(body, maximumWait: 5, clock: clock)
        await #expect(throws: URLError.self) { try await preview.start() }
        #expect(try await preview.reader() == Data("ab".utf8))
    }

    @Test func `a body preview contains at most as many bytes as an error keeps`() async throws {
        let preview = BodyPreview(dripping, maximumWait: 1_000_000, clock: clock)
        #expect(try await preview.start().count == ErrandError.bodyPrefixLimit)
    }

    @Test(arguments: [0, -1, -Double.infinity])
    func `a body preview without a time limit reads nothing`(_ limit: Double) async throws {
        let preview = BodyPreview(dripping, maximumWait: limit, clock: clock)
        #expect(try await preview.start().isEmpty)
        #expect(clock.now.offset == .zero)
    }
}
