import Errand

/// The delivery of a response of ``RouteStubs``, as a transport would receive it: a pure function of the response and
/// the request.
struct StubDelivery: Sendable {
    /// A step, which must be finished before the next one.
    enum Step: Sendable {
        /// Deliver these bytes of the body; at least one.
        case send(Data)
        /// Run the pause of the fault.
        case pause(MockFault.Pause)
        /// Deliver the pieces that the closure returns, until `nil`.
        case stream(MockResponse.Chunks)
        /// Fail with this code.
        case fail(URLError.Code)
        /// Deliver nothing more.
        case stall
    }

    /// The reason why a response needs a server.
    struct NeedsServer: Error {
        /// The feature that needs a server.
        let feature: String
    }

    /// The step in place of the head; `nil` if the head is delivered.
    private(set) var insteadOfHead: Step?
    /// The header fields, with the length of the body if a server would declare it.
    private(set) var headers: HeaderFields
    /// The steps after the head.
    private(set) var body: [Step] = []

    /// - Throws: ``NeedsServer`` for features that concern the bytes on the wire.
    init(_ response: MockResponse, to request: MockRequest) throws(NeedsServer) {
        headers = response.headers
        if let failure = response.failure {
            insteadOfHead = .fail(failure)
            return
        }
        if response.raw != nil { throw NeedsServer(feature: "raw bytes") }
        if response.upgrade != nil { throw NeedsServer(feature: "an upgrade") }
        var response = response
        if let makeBody = response.bodyMaker { response.body = makeBody() }
        declareLength(of: response)
        let hasBody = request.method != .head && response.mayHaveBody
        let whole = hasBody ? Self.steps(for: response.body) : []
        guard let fault = response.fault else {
            body = whole
            return
        }
        if case .stream(let chunks) = response.body, hasBody {
            stream(chunks, fault)
            return
        }
        if let cut = fault.cut {
            try cutShort(whole, of: response, at: cut.at, cut.then)
            return
        }
        switch fault {
        case .drip(let size, let pause):
            body = Self.dripping(whole, size: max(size, 1), pause)
        case .pauseBeforeEachChunk(let pause):
            body = whole
            if case .chunked = response.body, hasBody {
                body = whole.flatMap { [.pause(pause), $0] } + [.pause(pause)]
            }
        case .wrongContentLength(let error):
            body = hasBody ? Self.misdeclared(response.body, by: error) : []
        default:
            throw NeedsServer(feature: "the fault \(fault)")
        }
    }

    private mutating func declareLength(of response: MockResponse) {
        guard response.mayHaveBody, headers["Content-Length"] == nil else { return }
        switch response.body {
        case .empty: headers.add("Content-Length", "0")
        case .sized(let data):
            headers.add("Content-Length", "\(response.declaredLength(of: data))")
        case .chunked, .untilClose, .stream: break
        }
    }

    private static func steps(for body: MockResponse.Body) -> [Step] {
        switch body {
        case .empty: []
        case .sized(let data), .untilClose(let data): data.isEmpty ? [] : [.send(data)]
        case .chunked(let chunks, _): chunks.filter { !$0.isEmpty }.map { .send($0) }
        case .stream(let chunks): [.stream(chunks)]
        }
    }

    private mutating func stream(_ chunks: @escaping MockResponse.Chunks, _ fault: MockFault) {
        body = [.stream(fault.applied(to: chunks))]
        guard fault.cutsStream, let cut = fault.cut else { return }
        if case .head = cut.at { insteadOfHead = Self.end(cut.then) } else { body.append(Self.end(cut.then)) }
    }

    private static func end(_ ending: MockFault.Ending) -> Step {
        switch ending {
        case .stall: .stall
        case .close, .reset: .fail(.networkConnectionLost)
        }
    }

    private mutating func cutShort(
        _ whole: [Step], of response: MockResponse, at point: MockFault.Point, _ then: MockFault.Ending
    ) throws(NeedsServer) {
        let end = Self.end(then)
        switch point {
        case .head: insteadOfHead = end
        case .body(let count):
            let (steps, isWhole) = Self.prefix(of: whole, count: max(count, 0))
            body = steps + (Self.isEnd(of: response.body, then, isWhole: isWhole) ? [] : [end])
        case .chunkSize, .trailers:
            throw NeedsServer(feature: "a fault of the framing of chunks")
        }
    }

    /// Returns `true` if a client takes this for the end of the body.
    private static func isEnd(of body: MockResponse.Body, _ then: MockFault.Ending, isWhole: Bool) -> Bool {
        switch (body, then) {
        case (.untilClose, .close): true
        case (.empty, _), (.sized, _): isWhole
        default: false
        }
    }

    private static func prefix(of whole: [Step], count: Int) -> (steps: [Step], isWhole: Bool) {
        var left = count
        var steps: [Step] = []
        for step in whole {
            guard case .send(let data) = step else { return (steps, false) }
            if left > 0 { steps.append(.send(data.prefix(left))) }
            if left < data.count { return (steps, false) }
            left -= data.count
        }
        return (steps, true)
    }

    private static func dripping(_ whole: [Step], size: Int, _ pause: @escaping MockFault.Pause) -> [Step] {
        var steps: [Step] = []
        for step in whole {
            guard case .send(var rest) = step else {
                steps.append(step)
                continue
            }
            while !rest.isEmpty {
                if !steps.isEmpty { steps.append(.pause(pause)) }
                steps.append(.send(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
        }
        return steps
    }

    private static func misdeclared(_ body: MockResponse.Body, by error: Int) -> [Step] {
        guard case .sized(let data) = body else { return steps(for: body) }
        let whole = steps(for: body)
        if error > 0 { return whole + [.fail(.networkConnectionLost)] }
        let (length, overflows) = data.count.addingReportingOverflow(error)
        return prefix(of: whole, count: overflows ? 0 : max(length, 0)).steps
    }
}
