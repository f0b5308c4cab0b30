/// A response body whose first bytes can be inspected before the body is read.
struct BodyPreview: Sendable {
    /// The inspected bytes, which must still be read.
    private let seen = Locked<Data?>(nil)
    private let rest: ResponseBody.Reader
    private let maximumWait: Duration
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - maximumWait: The time in seconds after which ``start()`` begins no further read, however few bytes have
    ///     arrived. It does not interrupt a read.
    ///   - clock: The clock that measures this time.
    init(_ body: ResponseBody, maximumWait: TimeInterval, clock: any Clock<Duration> = ContinuousClock()) {
        rest = body.reader
        self.maximumWait = Duration(bounding: maximumWait)
        self.clock = clock
    }

    /// Returns the first bytes: at least as many as an error keeps, or fewer if the body or the time ends before. A
    /// second call begins with the same bytes.
    ///
    /// - Throws: The error of the body if it fails before that.
    func start() async throws -> Data {
        let timeline = Timeline(clock)
        var data = seen.withLock(\.self) ?? Data()
        defer { seen.withLock { $0 = data.isEmpty ? nil : data } }
        while data.count < ErrandError.bodyPrefixLimit, timeline.now < maximumWait {
            guard let piece = try await rest() else { break }
            data += piece
        }
        return data
    }

    /// A reader that reads the body from its start.
    var reader: ResponseBody.Reader {
        { [seen, rest] in
            let inspected = seen.withLock { seen in
                defer { seen = nil }
                return seen
            }
            if let inspected { return inspected }
            return try await rest()
        }
    }
}
