/// The way in which the body of a response ended.
package enum BodyEnd: Sendable {
    /// The body was read to its end.
    case whole
    /// The body failed before its end.
    case failed(any Error)
    /// The last reader released the body.
    case released
}

extension DataResponse {
    /// Returns this response, and calls `done` once: immediately for a collected body, and when a streamed body ends,
    /// fails or is released.
    ///
    /// - Parameter done: A closure that receives how the body ended, and the number of bytes read.
    package func watched(_ done: @escaping @Sendable (BodyEnd, _ count: Int) -> Void) -> DataResponse {
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

/// A wrapper that forwards a body and reports its end once, at the latest when it is released.
private final class BodyWatch: Sendable {
    typealias Done = @Sendable (BodyEnd, _ count: Int) -> Void

    /// The state is not a tuple: a closure in a tuple is wrapped again at each lock, until the wrappers overflow the
    /// stack.
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
