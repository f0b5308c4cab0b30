/// One run of a ``Download``, which requests the file, and then the rest of it, until it is complete.
struct DownloadRun {
    private let download: Download
    private let file: DownloadFile
    private let progress: TransferProgress
    private let supportsRanges: Bool
    /// The point from which the download can resume; `nil` if it must start from the beginning.
    private var point: ResumePoint?
    /// The number of bytes in the file.
    private var count: Int64
    /// The number of bytes from an earlier run.
    private var resumedCount: Int64
    /// The waits before the download resumes within the run; `nil` if an interruption ends the run.
    private var schedule: ResumptionSchedule?
    /// Whether the current request has reached its body, so that an error interrupts the body.
    private var isReceiving = false
    /// The file's digest from the server.
    private var serverDigest: FileDigest?

    init(_ download: Download, _ file: DownloadFile, _ point: ResumePoint?, _ progress: TransferProgress) {
        self.download = download
        self.file = file
        self.progress = progress
        // Only GET supports ranges (RFC 9110, section 14.2).
        supportsRanges = (download.request?.httpMethod ?? "GET") == "GET"
        self.point = supportsRanges ? point : nil
        count = self.point?.count ?? 0
        resumedCount = count
        schedule = download.policy.map { [count] in ResumptionSchedule($0, count: count) }
    }

    /// Downloads the file and moves it into place.
    mutating func load() async throws -> DownloadedFile {
        progress.begin(at: count, total: point?.total)
        if let point {
            serverDigest = point.digest
            // Hashing comes before the request, so that the server does not wait for the disk.
            try await file.hash(by: algorithms)
        }
        while true {
            do {
                if let result = try await loadSome() { return result }
            } catch {
                // Failures that occur before the body were already retried, as for any other request.
                guard isReceiving, let wait = wait(after: error) else { throw error }
                if wait > .zero, let clock = download.policy?.clock { try await clock.sleep(for: wait.bounded) }
                try Task.checkCancellation()
            }
        }
    }

    /// Sends one request and writes its response to the file.
    ///
    /// - Returns: The file; `nil` if another request is needed.
    private mutating func loadSome() async throws -> DownloadedFile? {
        let requested = supportsRanges && count > 0 ? point : nil
        isReceiving = false
        // A range counts the bytes of the encoded content, so the content must have no coding.
        let fields: HeaderFields = ["Accept-Encoding": "identity"]
        let response = try await open(fields.merging(requested?.fields ?? [:]))
        let step: DownloadStep
        do {
            step = try DownloadStep(statusCode: response.statusCode, headers: response.headers, continuing: requested)
        } catch {
            if error.code == .invalidContentRange { try await file.discard() }
            throw await blaming(response, error)
        }
        do {
            return try await perform(step, for: response) ? try await finish(response) : nil
        } catch let error as ErrandError where error.code == .digestMismatch || error.code == .invalidContentRange {
            // The file is discarded, so that no later run resumes it.
            try await file.discard()
            throw await blaming(response, error)
        }
    }

    /// Sends the request. It accepts status 416 for a range request, even if the class's validation does not.
    private func open(_ fields: HeaderFields) async throws -> DataResponse {
        do {
            return try await download.stream.open(adding: fields)
        } catch let error as ErrandError where error.statusCode == 416 && fields["Range"] != nil {
            var response = DataResponse(
                statusCode: 416, headers: error.headers, url: error.url, body: ResponseBody(error.bodyPrefix))
            (response.method, response.attempts) = (error.method, error.attempts)
            return response
        }
    }

    /// Performs the step for a response and returns whether the file is then complete.
    private mutating func perform(_ step: DownloadStep, for response: DataResponse) async throws -> Bool {
        switch step {
        case .begin(let whole):
            count = 0
            resumedCount = 0
            point = whole.validator.map {
                ResumePoint(count: 0, validator: $0, total: whole.total, digest: whole.digest)
            }
            serverDigest = whole.digest
            try await file.begin(whole, hashedBy: algorithms)
            report(total: whole.total)
            try await receive(response.body, end: whole.total, total: whole.total)
            return true
        case .append(let part):
            point?.total = part.total
            point?.digest = part.digest
            serverDigest = part.digest
            try await file.append(part, hashedBy: algorithms)
            try await receive(response.body, end: count + part.count, total: part.total)
            try await file.checkPart(part.contentDigest)
            // If the total is unknown, the response to the next request, 416, confirms that the file is complete.
            return count == part.total
        case .complete:
            serverDigest = point?.digest
            try await file.hash(by: algorithms)
            return true
        case .startAgain:
            point = nil
            return false
        }
    }

    /// Appends a body to the file.
    ///
    /// - Parameter end: The length that the file must have after the body; `nil` if it is unknown.
    private mutating func receive(_ body: ResponseBody, end: Int64?, total: Int64?) async throws {
        isReceiving = true
        for try await piece in body {
            if let end, Int64(piece.count) > end - count {
                throw ErrandError(
                    .invalidContentRange,
                    reason: "the file would exceed the \(end) bytes that the header fields declare")
            }
            count = try await file.add(piece)
            point?.count = count
            report(total: total)
        }
        // Transports check this, but stubs and custom transports may not.
        if let end, count < end { throw URLError(.networkConnectionLost) }
    }

    /// Compares the file with its digests, and moves it to the target.
    private func finish(_ response: DataResponse) async throws -> DownloadedFile {
        let digests = digests
        try await file.finish(digests)
        report(total: count)
        return DownloadedFile(
            url: download.target, byteCount: count, resumedByteCount: resumedCount, verifiedDigests: digests,
            statusCode: response.statusCode, headers: response.headers, responseURL: response.url)
    }

    private func report(total: Int64?) {
        progress.update(TransferProgress.Snapshot(completed: count, total: total))
    }

    /// The digests that the file is compared with.
    private var digests: [FileDigest] {
        var digests = [download.digest, serverDigest].compactMap(\.self)
        if digests.count == 2, digests[0] == digests[1] { digests.removeLast() }
        return digests
    }

    private var algorithms: Set<FileDigest.Algorithm> { Set(digests.map(\.algorithm)) }

    /// Returns the time to wait before the download resumes; `nil` if the error ends the run.
    private mutating func wait(after error: any Error) -> Duration? {
        guard !error.isCancellation, !Task.isCancelled, let policy = download.policy,
            download.request.map(policy.isSafeToRepeat) == true
        else { return nil }
        let chance = policy.random()
        guard let wait = schedule?.wait(after: error, count: count, chance: chance), policy.budget?.withdraw() ?? true
        else { return nil }
        return wait
    }

    /// Returns the error with the response that caused it. If the response reports a failure, the first bytes of its
    /// body are included.
    private func blaming(_ response: DataResponse, _ error: ErrandError) async -> ErrandError {
        // The first piece; `nil` if the body is not read, cannot be read, or is empty.
        let start = response.statusCode >= 300 ? try? await response.body.reader() : nil
        var failed = response
        failed.body = ResponseBody(start ?? Data())
        return error.with(response: failed)
    }
}

/// The waits before an interrupted download resumes. The attempts of the ``RetryPolicy`` start again whenever the
/// file is longer than ever before.
struct ResumptionSchedule: Sendable {
    private let policy: RetryPolicy
    /// The waits of the attempts since the file had its greatest length.
    private var waits: RetrySchedule
    /// The greatest length of the file so far.
    private var longest: Int64
    /// The number of requests that were interrupted since the file had this length.
    private var attempts = 0

    /// - Parameter count: The number of bytes at the start of the run.
    init(_ policy: RetryPolicy, count: Int64) {
        self.policy = policy
        waits = RetrySchedule(policy)
        longest = count
    }

    /// Returns the time to wait before the download resumes; `nil` to give up.
    ///
    /// - Parameters:
    ///   - error: The error that interrupted the download.
    ///   - count: The current number of bytes.
    ///   - chance: A random number from 0 to 1.
    mutating func wait(after error: any Error, count: Int64, chance: Double) -> Duration? {
        guard let code = error.transportCode, policy.errorCodes.contains(code) else { return nil }
        if count > longest {
            longest = count
            attempts = 0
            waits = RetrySchedule(policy)
        }
        attempts += 1
        guard attempts < policy.maximumAttempts else { return nil }
        return waits.next(serverWait: nil, chance: chance)
    }
}
