public import Errand

extension FaultInjection {
    /// A fault that a ``FaultInjection`` causes for a share of the requests.
    ///
    /// The names are those of the stubs and of the mock server in `ErrandTesting`.
    public struct Fault: Sendable {
        /// The effect of a fault.
        enum Effect: Sendable {
            /// The request fails, and nothing is sent.
            case failure(URLError.Code)
            /// The request waits, and is then sent.
            case delay(Duration)
            /// The request gets this response, and nothing is sent.
            case response(@Sendable (_ url: URL?) -> DataResponse)
            /// The request is sent, and its response is cut after this number of bytes of its body.
            case cut(Int)
        }

        let effect: Effect
        /// The time of a delay; `nil` for other faults.
        var latency: Duration? { if case .delay(let latency) = effect { latency } else { nil } }
        /// The fault for a log, without a value that could be secret.
        let text: String

        /// A network failure. Nothing is sent.
        ///
        /// ```swift
        /// FaultInjection([.failure(.cannotConnectToHost): 0.01])
        /// ```
        public static func failure(_ code: URLError.Code) -> Fault {
            Fault(effect: .failure(code), text: "failure(URLError \(code.rawValue))")
        }

        /// A delay before the request is sent.
        ///
        /// If the delay is not shorter than the request's `timeoutInterval` or `resourceTimeout`, the request fails
        /// with `timedOut` after that time, and nothing is sent. So `.after(.seconds(3600))` is a server that does not
        /// respond.
        ///
        /// - Parameter latency: The delay; a negative value counts as zero, and the maximum is a hundred years.
        public static func after(_ latency: Duration) -> Fault {
            let latency = max(latency.bounded, .zero)
            return Fault(effect: .delay(latency), text: "after(\(latency))")
        }

        /// A response in place of the server's. Nothing is sent.
        ///
        /// - Parameters:
        ///   - statusCode: The status code.
        ///   - headers: The header fields, such as `Retry-After`.
        ///   - data: The body; empty by default.
        public static func status(_ statusCode: Int, headers: HeaderFields = [:], data: Data = Data()) -> Fault {
            let text = "status(\(statusCode))"
            let response = { @Sendable url in
                DataResponse(statusCode: statusCode, headers: headers, data: data, url: url)
                    .noting("injected fault: \(text)")
            }
            return Fault(effect: .response(response), text: text)
        }

        /// A response with a JSON document in place of the server's. Nothing is sent.
        public static func json(_ text: String, statusCode: Int = 200) -> Fault {
            status(statusCode, headers: ["Content-Type": "application/json"], data: Data(text.utf8))
        }

        /// A connection that is lost after this number of bytes of the response's body.
        ///
        /// The server receives the request. A collected response fails as a whole, and a streamed one after these
        /// bytes. A body of `count` bytes or fewer arrives whole.
        ///
        /// - Parameter count: The number of bytes; a negative value counts as zero.
        public static func closeInBody(after count: Int) -> Fault {
            Fault(effect: .cut(max(count, 0)), text: "closeInBody(after: \(max(count, 0)))")
        }
    }
}

extension FaultInjection.Fault: Confidential {
    /// The fault with its numbers, without header fields and bodies.
    public var description: String { text }
}

extension DataResponse {
    /// Returns this response with a body that fails after `count` bytes. The original body is released then, which
    /// closes its connection.
    ///
    /// - Throws: The failure, for a collected body that is longer.
    func cut(after count: Int, _ failure: ErrandError) throws(ErrandError) -> DataResponse {
        guard body.isStreamed else {
            guard data.count > count else { return self }
            throw failure
        }
        let cut = Locked(CutBody(body: body, left: count))
        var response = self
        response.body = ResponseBody {
            guard let body = cut.withLock({ $0.body }) else { throw failure }
            var pieces = body.makeAsyncIterator()
            guard let piece = try await pieces.next() else { return nil }
            guard let part = cut.withLock({ $0.part(of: piece) }) else { throw failure }
            return part
        }
        return response
    }
}

/// The rest of a body that is cut.
private struct CutBody: Sendable {
    /// The body; `nil` after the cut.
    var body: ResponseBody?
    /// The number of bytes that are still delivered.
    var left: Int

    /// Returns the part of the piece before the cut; `nil` if it is empty.
    mutating func part(of piece: Data) -> Data? {
        if piece.count > left { body = nil }
        let part = piece.prefix(left)
        left -= part.count
        return part.isEmpty ? nil : part
    }
}
