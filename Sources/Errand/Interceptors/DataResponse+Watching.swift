/// How the body of a response ended.
enum BodyEnd: Sendable {
    /// It was read to its end.
    case whole
    /// It broke off.
    case failed(any Error)
    /// Its last reader released it.
    case released
}

extension DataResponse {
    /// This response, with `done` called once: at once for a collected body, and for a streamed one when it ends, fails or
    /// is released.
    ///
    /// - Parameter done: Receives how the body ended, and how many bytes were read.
    func watched(_ done: @escaping @Sendable (BodyEnd, _ count: Int) -> Void) -> DataResponse {
        guard body.isStreamed else {
            done(.whole, data.count)
            return self
        }
        let watch = BodyWatch(body, done)
        var response = self
        response.body = ResponseBody(prefix: data) { try await watch.next() }
        return response
    }
}

/// Passes a body on and reports its end once, when it is released at the latest.
private final class BodyWatch: Sendable {
    typealias Done = @Sendable (BodyEnd, _ count: Int) -> Void

    /// No tuple: a closure in one is wrapped anew each time that the lock is taken, until the wraps are more than a stack
    /// holds.
    private struct State: Sendable {
        var count = 0
        var done: Done?
    }

    private let reader: ResponseBody.Reader
    private let state: Locked<State>

    init(_ body: ResponseBody, _ done: @escaping Done) {
        reader = body.reader
        state = Locked(State(done: done))
    }

    deinit {
        end(.released)
    }

    func next() async throws -> Data? {
        do {
            let piece = try await reader()
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
