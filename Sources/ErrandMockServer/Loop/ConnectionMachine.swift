import Errand
import ErrandTesting

/// The state machine of a connection: reads requests in order, has a response made for each of them, and sends the
/// response step by step.
///
/// It does no I/O. The connection appends received bytes, calls ``next()`` until it returns `nil`, and performs the
/// returned actions.
struct ConnectionMachine {
    /// An action for the connection.
    enum Action {
        case send(Data)
        /// Find the fault for reading the body of a request with this head, and call ``readBody(_:)``.
        case decide(MockRequest)
        /// Record this request, which is not read any further.
        case record(MockRequest)
        /// Run the handler for this request, and call ``respond(_:)``.
        case handle(MockRequest)
        /// Run the pause, and call ``resume()``.
        case pause(MockFault.Pause)
        /// Get a piece of the body, and call ``stream(_:)``.
        case pull(MockResponse.Chunks)
        /// Close for sending, and read until the client closes.
        case endSending
        case close
        case reset
        /// Hand the connection over to this protocol, beginning with the bytes that have already arrived.
        case upgrade(@Sendable (any ByteConnection) async -> Void, rest: [UInt8])
    }

    private enum State {
        case reading
        /// Waits for the fault of a body.
        case deciding
        /// Waits between two pieces of a body.
        case pausingToRead
        /// Keeps the connection open without reading until the client closes.
        case stalled
        case handling(MockRequest)
        case responding(ArraySlice<ResponseWriter.Step>)
        case pausing(ArraySlice<ResponseWriter.Step>)
        /// Waits for a piece of a body; the first step is the one that requested the piece.
        case pulling(isFramed: Bool, ArraySlice<ResponseWriter.Step>)
        /// Waits until the client closes.
        case ending
    }

    /// The maximum number of bytes that are read ahead while the response to an earlier request is sent.
    private static let maximumReadAhead = 1 << 20

    private var state = State.reading
    private var parser: RequestParser
    /// The fault of the body that is being read.
    private var upload: MockUploadFault?

    init(maximumBodySize: Int) {
        parser = RequestParser(maximumBodySize: maximumBodySize)
    }

    /// Whether more bytes may be read.
    ///
    /// Reading continues while a response is sent, so that a close by the client is noticed immediately.
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

    /// Continues to read the body of a request, with a fault or without.
    mutating func readBody(_ fault: MockUploadFault?) {
        guard case .deciding = state else { preconditionFailure("nothing to decide") }
        state = .reading
        upload = fault
        guard let fault else { return }
        parser.limit = fault.count ?? .max
        if !fault.saysContinue { parser.saysContinue = false }
    }

    /// Sets the response for the request whose handler is running.
    mutating func respond(_ response: MockResponse) {
        guard case .handling(let request) = state else { preconditionFailure("a response without a request") }
        state = .responding(ResponseWriter.steps(for: response, to: request)[...])
    }

    /// Continues after a pause.
    mutating func resume() {
        switch state {
        case .pausing(let steps): state = .responding(steps)
        case .pausingToRead: state = .reading
        default: preconditionFailure("not pausing")
        }
    }

    /// Continues with a piece of the body; `nil` after the last piece.
    mutating func stream(_ piece: Data?) {
        guard case .pulling(let isFramed, let steps) = state else { preconditionFailure("not waiting for a piece") }
        guard let piece else {
            state = .responding(steps.dropFirst())
            return
        }
        let bytes = isFramed ? piece.asChunk : piece
        state = .responding((bytes.isEmpty ? [] : [.send(bytes)]) + steps)
    }

    /// Returns the next action; `nil` if the connection must wait for bytes, a response or the end of a pause.
    mutating func next() -> Action? {
        switch state {
        case .reading: nextRequest()
        case .responding(let steps): nextStep(of: steps)
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

    /// Applies a fault that ends the reading of a body. Returns `nil` if there is no such fault.
    private mutating func giveUp(_ request: MockRequest) -> Action? {
        switch upload {
        case .respond(let response, _):
            let steps = ResponseWriter.steps(for: response.with(closesConnection: true), to: request)
            // Bytes that still arrive are discarded. Closing at once could destroy the response.
            state = .responding((steps.map { if case .close = $0 { .linger } else { $0 } })[...])
        case .close: state = .responding([.close])
        case .reset: state = .responding([.reset])
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
        state = .responding(rest)
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
    /// These bytes as a chunk (RFC 9112, section 7.1); empty if there are none, because an empty chunk would end the
    /// body.
    fileprivate var asChunk: Data {
        isEmpty ? self : Data("\(String(count, radix: 16))\r\n".utf8) + self + Data("\r\n".utf8)
    }
}
