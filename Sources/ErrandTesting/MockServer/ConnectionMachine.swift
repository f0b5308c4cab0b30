import Errand

/// What one connection does next: reads requests in order, has each answered, and sends the answer step by step.
///
/// It is pure: the shell appends the bytes that came, asks ``next()`` until that is nil, and does as it is told.
struct ConnectionMachine {
    /// Something for the shell to do before it asks again.
    enum Action {
        case send(Data)
        /// Say what goes wrong while the body of a request with this head is read, with ``readBody(_:)``.
        case decide(MockRequest)
        /// Write down that this request came, of which no more is read.
        case record(MockRequest)
        /// Have the request answered, and come back with ``answer(_:)``.
        case handle(MockRequest)
        /// Run the pause, and come back with ``resume()``.
        case pause(MockFault.Pause)
        /// Ask for a piece of the body, and come back with ``stream(_:)``.
        case pull(MockResponse.Chunks)
        /// Close for sending, and go on reading until the client closes.
        case endSending
        case close
        case reset
        /// Have this spoken over the connection, which begins with what has come already.
        case upgrade(@Sendable (any ByteConnection) async -> Void, rest: [UInt8])
    }

    private enum State {
        case reading
        /// Waiting to hear what goes wrong with a body.
        case deciding
        /// Between two pieces of a body.
        case pausingToRead
        /// Holding the connection, without reading, until the client closes.
        case stalled
        case handling(MockRequest)
        case answering(ArraySlice<ResponseWriter.Step>)
        case pausing(ArraySlice<ResponseWriter.Step>)
        /// Waiting for a piece, with the step that asked for it in front.
        case pulling(isFramed: Bool, ArraySlice<ResponseWriter.Step>)
        /// Until the client closes.
        case ending
    }

    /// As much as is read ahead while an earlier request is being answered.
    private static let maximumReadAhead = 1 << 20

    private var state = State.reading
    private var parser: RequestParser
    /// What goes wrong with the body that is being read.
    private var upload: MockUploadFault?

    init(maximumBodySize: Int) {
        parser = RequestParser(maximumBodySize: maximumBodySize)
    }

    /// Whether there is room for more bytes.
    ///
    /// Reading goes on during an answer, so that it shows at once when the client closes.
    var wantsBytes: Bool {
        switch state {
        case .ending: true
        case .stalled: false
        case .pausingToRead: parser.bufferedCount == 0
        default: parser.bufferedCount < Self.maximumReadAhead
        }
    }

    mutating func receive(_ bytes: [UInt8]) {
        if case .ending = state { return }
        parser.append(bytes)
    }

    /// Goes on with the body of a request, and with what goes wrong there; nil for nothing.
    mutating func readBody(_ fault: MockUploadFault?) {
        guard case .deciding = state else { preconditionFailure("nothing to decide") }
        state = .reading
        upload = fault
        guard let fault else { return }
        parser.limit = fault.count ?? .max
        if !fault.saysContinue { parser.saysContinue = false }
    }

    /// Answers the request that is being handled.
    mutating func answer(_ response: MockResponse) {
        guard case .handling(let request) = state else { preconditionFailure("an answer without a request") }
        state = .answering(ResponseWriter.steps(for: response, to: request)[...])
    }

    /// Goes on after a pause.
    mutating func resume() {
        switch state {
        case .pausing(let steps): state = .answering(steps)
        case .pausingToRead: state = .reading
        default: preconditionFailure("not pausing")
        }
    }

    /// Goes on with a piece of the body; nil when that was the last.
    mutating func stream(_ piece: Data?) {
        guard case .pulling(let isFramed, let steps) = state else { preconditionFailure("not waiting for a piece") }
        guard let piece else {
            let end = isFramed ? [ResponseWriter.Step.send(Data("0\r\n\r\n".utf8))] : []
            state = .answering((end + steps.dropFirst())[...])
            return
        }
        let bytes = isFramed ? piece.asChunk : piece
        state = .answering((bytes.isEmpty ? [] : [.send(bytes)]) + steps)
    }

    /// What to do now; nil when there is nothing to do until bytes, an answer or the end of a pause come.
    mutating func next() -> Action? {
        switch state {
        case .reading: nextRequest()
        case .answering(let steps): nextStep(of: steps)
        case .deciding, .pausingToRead, .stalled, .handling, .pausing, .pulling, .ending: nil
        }
    }

    private mutating func nextRequest() -> Action? {
        switch parser.next() {
        case nil:
            return nil
        case .expectsContinue:
            return .send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        case .head(let request):
            state = .deciding
            return .decide(request)
        case .limit(let request):
            return giveUp(request) ?? pauseReading()
        case .request(let request):
            defer { upload = nil }
            if let action = giveUp(request) { return action }
            state = .handling(request)
            return .handle(request)
        case .failure(let failure):
            return nextStep(of: ResponseWriter.steps(for: failure.response, to: nil)[...])
        }
    }

    /// What comes of a request whose body is read no further; nil when it is.
    private mutating func giveUp(_ request: MockRequest) -> Action? {
        switch upload {
        case .answer(let response, _):
            let steps = ResponseWriter.steps(for: response.with(closesConnection: true), to: request)
            // What still comes is dropped: to close at once could destroy the answer.
            state = .answering((steps.map { if case .close = $0 { .linger } else { $0 } })[...])
        case .close: state = .answering([.close])
        case .reset: state = .answering([.reset])
        case .stall: state = .stalled
        case .slow, .ignoresExpectation, nil: return nil
        }
        return .record(request)
    }

    private mutating func pauseReading() -> Action? {
        guard case .slow(let count, let pause) = upload else { return nil }
        let (next, overflows) = parser.limit.addingReportingOverflow(max(1, count))
        parser.limit = overflows ? .max : next
        state = .pausingToRead
        return .pause(pause)
    }

    private mutating func nextStep(of steps: ArraySlice<ResponseWriter.Step>) -> Action? {
        let rest = steps.dropFirst()
        state = .answering(rest)
        switch steps.first {
        case .send(let data):
            return .send(data)
        case .pause(let pause):
            state = .pausing(rest)
            return .pause(pause)
        case .stream(let chunks, let isFramed):
            state = .pulling(isFramed: isFramed, steps)
            return .pull(chunks)
        case .stall:
            state = .ending
            return nil
        case .linger:
            state = .ending
            return .endSending
        case .close:
            state = .ending
            return .close
        case .reset:
            state = .ending
            return .reset
        case .upgrade(let serve):
            state = .ending
            return .upgrade(serve, rest: parser.takeRest())
        case nil:
            state = .reading
            return nextRequest()
        }
    }
}

extension Data {
    /// These bytes as a chunk (RFC 9112, section 7.1); nothing for none, since an empty chunk would end the body.
    fileprivate var asChunk: Data {
        isEmpty ? self : Data("\(String(count, radix: 16))\r\n".utf8) + self + Data("\r\n".utf8)
    }
}
