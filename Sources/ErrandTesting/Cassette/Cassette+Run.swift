public import Errand

extension Cassette {
    /// A cassette in use: an interceptor that records what passes, or answers in the network's place.
    ///
    /// ``Cassette/run(_:)`` makes one and puts it before every request. By hand, for some requests alone:
    ///
    /// ```swift
    /// let run = try cassette.start()
    /// request.interceptors.append(run)
    /// let users = try await request.start().value
    /// try run.finish()
    /// ```
    ///
    /// As the last of a request's interceptors it sees what the network sees. A WebSocket is not recorded: its messages are no
    /// answers. While recording it passes; while replaying it fails with
    /// `notRecorded`.
    ///
    /// A request whose body is a stream is recorded with what was read of it, up to the cassette's `maximumBodySize`.
    /// While replaying, the stream is read only where the body is compared.
    public final class Run: Interceptor {
        private enum Work: Sendable {
            case replaying(Player)
            case recording(Recorder)
        }

        private let cassette: Cassette
        private let work: Work
        private let state = Locked((hasEnded: false, isDiscarded: false))

        /// The places of the values that are not in the file, each once: the entries that a recording has so far, or those that
        /// are replayed.
        ///
        /// A value in a response, ``HAR/RedactedValue/Part/isInResponse``, is another one when the cassette is replayed. A test
        /// that passes while it is recorded must not compare it.
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
            work = .recording(Recorder(cassette))
        }

        init(replaying cassette: Cassette, _ archive: HAR) {
            self.cassette = cassette
            work = .replaying(Player(cassette, archive))
        }

        /// Whether the network is asked, and what passes is kept.
        public var isRecording: Bool {
            switch work {
            case .recording: true
            case .replaying: false
            }
        }

        /// Records what `next` gives, or answers in its place.
        ///
        /// - Throws: While replaying, `ErrandError` with `notRecorded` for a request that is not in the cassette, and what
        ///   was recorded of one that failed. While recording, what `next` throws.
        public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            switch work {
            case .replaying(let player): try await player.answer(request)
            case .recording(let recorder): try await recorder.record(request, next: next)
            }
        }

        /// Ends the run: writes what was recorded, or sees whether all was replayed. To end it again does nothing.
        ///
        /// A recording in which values of responses were redacted says so on standard error, with their places: a test that compares
        /// such a value passes now, and fails when the cassette is replayed.
        ///
        /// Of an answer that is still being read, what was read so far is recorded; a request that was not answered yet is
        /// left out. Requests that come later fail.
        ///
        /// - Throws: `ErrandError` with `fileAccessFailed` when the file cannot be written, which is then as it was; with
        ///   `entriesUnused` where the cassette requires that all entries are used.
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
                try CassetteFile.write(HAR(log: HAR.Log(entries: entries)), to: cassette.file)
                reportRedactedValues()
            }
        }

        /// Ends the run, and writes nothing: what was recorded is half of something.
        public func abandon() {
            discard()
            try? finish()
        }

        /// Goes on, but is to end as ``abandon()`` does.
        package func discard() {
            state.withLock { $0.isDiscarded = true }
        }

        private func reportRedactedValues() {
            let places = redactedValues.filter { $0.part.isInResponse }
            guard !places.isEmpty else { return }
            let list = places.map(\.description.onOneLogLine).joined(separator: ", ")
            cassette.report("\(cassette.file.lastPathComponent) replays other values than it recorded: \(list)")
        }

        private static func error(_ unused: [(number: Int, entry: HAR.Entry)], in file: URL) -> ErrandError {
            let lines = unused.map {
                "  entry \($0.number): \($0.entry.request.method) \($0.entry.request.url)".onOneLogLine
            }
            return ErrandError(
                .entriesUnused,
                reason:
                    "\(file.lastPathComponent) has entries that no request asked for:\n\(lines.joined(separator: "\n"))"
            )
        }
    }
}

extension Cassette.Run: TestNetwork {
    package func webSocketStub(for request: TransportRequest) throws -> (any Transport)? {
        guard !isRecording else { return nil }
        throw ErrandError(
            .notRecorded,
            reason: "a WebSocket was opened while \(cassette.file.lastPathComponent) replays, and cassettes hold none; "
                + "give the request a stub of its own")
    }
}
