/// How the body of an answer ended.
enum BodyEnd: Sendable {
    /// It was read to its end.
    case whole
    /// It broke off.
    case failed(any Error)
    /// Nobody reads it any more.
    case released
}

extension HTTPResponse {
    /// This answer, with `done` called once when all of it is there or nobody wants it any more: for a whole one at once,
    /// for a stream when its body ends, fails or is let go of.
    ///
    /// - Parameter done: Gets how it ended, and how many bytes of a stream were read.
    func watched(_ done: @escaping @Sendable (BodyEnd, _ count: Int) -> Void) -> Self {
        guard var response = self as? StreamedResponse else {
            done(.whole, (self as? DataResponse)?.data.count ?? 0)
            return self
        }
        let watch = BodyWatch(response.body, done)
        response.body = ResponseBody { try await watch.next() }
        return response as? Self ?? self
    }
}

/// Passes a body on, and says once how it ended; at the latest when it is let go of.
private final class BodyWatch: Sendable {
    typealias Done = @Sendable (BodyEnd, _ count: Int) -> Void

    /// No tuple: a closure in one is wrapped anew each time that the lock is taken, until the wraps are more than a stack
    /// holds.
    private struct State: Sendable {
        var count = 0
        var done: Done?
    }

    private let body: ResponseBody
    private let state: Locked<State>

    init(_ body: ResponseBody, _ done: @escaping Done) {
        self.body = body
        state = Locked(State(done: done))
    }

    deinit {
        end(.released)
    }

    func next() async throws -> Data? {
        do {
            let piece = try await body.nextPiece()
            if let piece {
                state.withLock { $0.count += piece.count }
            } else {
                end(.whole)
            }
            return piece
        } catch {
            end(.failed(error))
            throw error
        }
    }

    private func end(_ end: BodyEnd) {
        let (count, done) = state.withLock { state in
            defer { state.done = nil }
            return (state.count, state.done)
        }
        done?(end, count)
    }
}
