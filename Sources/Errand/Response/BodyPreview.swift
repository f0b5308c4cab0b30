/// A body whose first bytes can be looked at before it is read.
struct BodyPreview: Sendable {
    /// What was looked at, and is still to be read.
    private let seen = Locked<Data?>(nil)
    private let rest: ResponseBody.Reader
    private let patience: Duration
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - patience: How long to begin to wait for one more piece, in seconds, however few bytes have come.
    ///   - clock: Who tells how long it took.
    init(_ body: ResponseBody, patience: TimeInterval, clock: any Clock<Duration> = ContinuousClock()) {
        rest = body.reader
        self.patience = Duration(bounding: patience)
        self.clock = clock
    }

    /// The first bytes, as many as an error keeps, or as have come when that takes too long.
    ///
    /// - Throws: What the body fails with before there are so many.
    func start() async throws -> Data {
        let stopwatch = Stopwatch(clock)
        var data = Data()
        while data.count < ErrandError.bodyPrefixLimit, stopwatch.elapsed < patience {
            guard let piece = try await rest() else { break }
            data += piece
        }
        seen.withLock { $0 = data.isEmpty ? nil : data }
        return data
    }

    /// Reads the body from its start.
    var reader: ResponseBody.Reader {
        { [seen, rest] in
            if let data = seen.withLock({ seen in
                defer { seen = nil }
                return seen
            }) {
                return data
            }
            return try await rest()
        }
    }
}
