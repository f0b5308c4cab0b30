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

    @Test func `waits for a body that drips no longer than it has patience, and loses nothing`() async throws {
        let preview = BodyPreview(dripping, patience: 5, clock: clock)
        #expect(try await preview.start() == Data([1, 2, 3, 4, 5]))
        #expect(clock.now.offset == .seconds(5))
        let read = preview.reader
        #expect(try await read() == Data([1, 2, 3, 4, 5]))
        #expect(try await read() == Data([6]))
    }

    @Test func `takes as many bytes as an error keeps when there is time`() async throws {
        let preview = BodyPreview(dripping, patience: 1_000_000, clock: clock)
        #expect(try await preview.start().count == ErrandError.bodyPrefixLimit)
    }

    @Test(arguments: [0, -1, -Double.infinity])
    func `reads nothing without patience`(_ patience: Double) async throws {
        let preview = BodyPreview(dripping, patience: patience, clock: clock)
        #expect(try await preview.start().isEmpty)
        #expect(clock.now.offset == .zero)
    }
}
