public import Errand

extension Cassette {
    /// A cassette in use: an interceptor that records responses from the network, or replays them.
    ///
    /// ``Cassette/run(_:)`` creates one and applies it to every request. To apply it to some requests only:
    ///
    /// ```swift
    /// let run = try cassette.start()
    /// request.interceptors.append(run)
    /// let users = try await request.start().value
    /// try run.finish()
    /// ```
    ///
    /// As the last interceptor of a request, it sees the same requests as the network. It does not record WebSockets.
    /// While it records, a WebSocket passes through; while it replays, a WebSocket fails with `notRecorded`.
    ///
    /// Of a streamed request body, it records what was read, up to the cassette's `maximumBodySize`. During replay, it
    /// reads the stream only if the body is compared.
    public final class Run: Interceptor {
        private enum Work: Sendable {
            case replaying(Player)
            case recording(Recorder)
        }

        private let cassette: Cassette
        private let work: Work
        private let state = Locked((hasEnded: false, isDiscarded: false))

        /// The places of the values that are missing in the file, each once. They come from the entries recorded so
        /// far, or from the replayed entries.
        ///
        /// A value in a response (``HAR/RedactedValue/Part/isInResponse``) differs between recording and replay, so a
        /// test must not compare it.
        public var redactedValues: [HAR.RedactedValue] {
            let entries =
                switch work {
                case .replaying(let player): player.entries
                case .recording(let recorder): recorder.entries
                }
            return entries.flatMap { $0.redacted ?? [] }.unique
        }

        init(recording cassette: Cassette) {
            self.cassette = cassette
            work = .recording(Recorder(cassette.recordingRules))
        }

        init(replaying cassette: Cassette, _ archive: HAR) {
            self.cassette = cassette
            work = .replaying(Player(cassette, archive))
        }

        /// Whether the run sends requests over the network and records them.
        public var isRecording: Bool {
            switch work {
            case .recording: true
            case .replaying: false
            }
        }

        /// As listed: it adds no credentials.
        public var placement: InterceptorPlacement { .asListed }

        /// Records the response of `next`, or replays a response.
        ///
        /// - Throws: While replaying, `ErrandError` with `notRecorded` for a request that is not in the cassette, or
        ///   the recorded failure. While recording, the errors of `next`.
        public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            switch work {
            case .replaying(let player): return try await player.response(request)
            case .recording(let recorder):
                if let response = try await recorder.record(request, next: Self.marking(next)) { return response }
                let reason = "the request was sent after the recording of \(cassette.file.lastPathComponent) had ended"
                throw ErrandError(.notRecorded, reason: reason).with(request: request.urlRequest)
            }
        }

        /// Returns a path whose responses and errors are those of a recorded server, which no test shows.
        private static func marking(_ next: Next) -> Next {
            Next { request in
                do {
                    var response = try await next(request)
                    response.peer = .recordedServer
                    guard response.body.isStreamed, response.statusCode != 101 else { return response }
                    response.body = response.body.mapError(marked)
                    return response
                } catch {
                    throw marked(error)
                }
            }
        }

        @Sendable private static func marked(_ error: any Error) -> any Error {
            guard var failure = error as? ErrandError else { return error }
            failure.peer = .recordedServer
            return failure
        }

        /// Ends the run: writes the recording, or checks that all entries were used. Further calls do nothing.
        ///
        /// If values of responses were redacted, a recording reports their places on standard error: a test that
        /// compares such a value passes now, and fails when the cassette is replayed.
        ///
        /// Of a response that is still being read, the part read so far is recorded. A request that has neither a
        /// response nor a failure yet is not recorded. Later requests fail.
        ///
        /// - Throws: `ErrandError` with `fileAccessFailed` if the file cannot be written, and with `notRecorded` if a
        ///   body is neither JSON nor a form nor of a kept type. The file then stays unchanged. `ErrandError` with
        ///   `entriesUnused` if the cassette requires that all entries are used.
        public func finish() throws(ErrandError) {
            let (hadEnded, isDiscarded) = state.withLock { state in
                defer { state.hasEnded = true }
                return state
            }
            guard !hadEnded else { return }
            switch work {
            case .replaying(let player):
                let unused = player.end()
                guard cassette.requiresAllUsed, !unused.isEmpty, !isDiscarded else { return }
                throw Self.error(unused, in: cassette.file)
            case .recording(let recorder):
                let entries = recorder.end()
                guard !entries.isEmpty, !isDiscarded else { return }
                try cassette.redaction.check(entries, of: cassette.file)
                try CassetteFile.write(HAR(log: HAR.Log(entries: entries)), to: cassette.file)
                reportRedactedValues()
            }
        }

        /// Ends the run without writing, because the recording is incomplete.
        public func abandon() {
            discard()
            try? finish()
        }

        /// Lets the run continue, but makes it end as ``abandon()`` does.
        package func discard() {
            state.withLock { $0.isDiscarded = true }
        }

        private func reportRedactedValues() {
            let places = redactedValues.filter { $0.part.isInResponse }
            guard !places.isEmpty else { return }
            let list = places.map(\.description.onOneLogLine).joined(separator: ", ")
            cassette.report(
                "\(cassette.file.lastPathComponent) replays redacted values in place of the received ones: \(list)")
        }

        private static func error(_ unused: [(number: Int, entry: HAR.Entry)], in file: URL) -> ErrandError {
            let lines = unused.map {
                "  entry \($0.number): \($0.entry.request.method) \($0.entry.request.url)".onOneLogLine
            }
            return ErrandError(
                .entriesUnused, lines: ["\(file.lastPathComponent) has unused entries:"] + lines)
        }
    }
}

extension Cassette.Run: TestNetwork {
    package var peer: Peer { isRecording ? .recordedServer : .stub }

    package func webSocketStub(for request: TransportRequest) throws -> (any Transport)? {
        guard !isRecording else { return nil }
        throw ErrandError(
            .notRecorded,
            reason: "\(cassette.file.lastPathComponent) cannot replay a WebSocket; give the request its own stub")
    }
}
