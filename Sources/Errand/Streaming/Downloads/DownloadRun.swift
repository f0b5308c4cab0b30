/// One run of a ``Download``: asks for the file, and for the rest of it, until it is whole.
struct DownloadRun {
    private let download: Download
    private let file: DownloadFile
    private let progress: TransferProgress
    /// What may be gone on with; nil where the file has to come from its beginning.
    private var point: ResumePoint?
    private var count: Int64
    /// How much of the file is from an earlier run.
    private var resumedCount: Int64
    private var schedule: ResumptionSchedule?
    /// Whether a body is on its way.
    private var isReceiving = false
    /// What the server says that the file hashes to.
    private var serverDigest: FileDigest?

    init(_ download: Download, _ file: DownloadFile, _ point: ResumePoint?, _ progress: TransferProgress) {
        self.download = download
        self.file = file
        self.progress = progress
        self.point = point
        count = point?.count ?? 0
        resumedCount = count
        schedule = download.policy.map { [count] in ResumptionSchedule($0, count: count) }
    }

    /// Loads the file and puts it in its place.
    mutating func load() async throws -> DownloadedFile {
        progress.begin(at: count, total: point?.total)
        if let point {
            serverDigest = point.digest
            // Before anything is asked for: the server is not to wait for the disk.
            try await file.hash(by: algorithms)
        }
        while true {
            do {
                if let result = try await loadSome() { return result }
            } catch {
                // What fails before there is a body was tried again already, as any other request is.
                guard isReceiving, let wait = wait(after: error) else { throw error }
                if wait > .zero, let clock = download.policy?.clock { try await clock.sleep(for: wait.bounded) }
                try Task.checkCancellation()
            }
        }
    }

    /// One answer.
    ///
    /// - Returns: Nil where more has to be asked for.
    private mutating func loadSome() async throws -> DownloadedFile? {
        // Only what is asked for with GET can be had in parts (RFC 9110, section 14.2).
        let isGET = (download.request?.httpMethod ?? "GET") == "GET"
        let asked = isGET && count > 0 ? point : nil
        isReceiving = false
        let fields: HeaderFields = ["Accept-Encoding": "identity"]
        let answer = try await open(fields.merging(asked?.fields ?? [:]))
        let step: DownloadStep
        do {
            step = try DownloadStep(statusCode: answer.statusCode, headers: answer.headers, continuing: asked)
        } catch {
            if error.code == .invalidContentRange { try await file.discard() }
            throw await blaming(answer, error)
        }
        do {
            return try await take(step, of: answer) ? try await finish(answer) : nil
        } catch let error as ErrandError where error.code == .digestMismatch || error.code == .invalidContentRange {
            // A server that cannot count is not asked to go on with this again.
            try await file.discard()
            throw await blaming(answer, error)
        }
    }

    /// Sends the request; that there is nothing behind what is there is an answer, also to a class that accepts fewer.
    private func open(_ fields: HeaderFields) async throws -> DataResponse {
        do {
            return try await download.stream.open(adding: fields)
        } catch let error as ErrandError where error.statusCode == 416 && fields["Range"] != nil {
            return DataResponse(
                statusCode: 416, headers: error.headers, url: error.url, body: ResponseBody(error.bodyPrefix))
        }
    }

    /// Does what an answer asks for, and tells whether the file is whole then.
    private mutating func take(_ step: DownloadStep, of answer: DataResponse) async throws -> Bool {
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
            try await receive(answer.body, end: whole.total, total: whole.total)
            return true
        case .append(let part):
            point?.total = part.total
            point?.digest = part.digest
            serverDigest = part.digest
            try await file.append(part, hashedBy: algorithms)
            try await receive(answer.body, end: count + part.count, total: part.total)
            try await file.checkPart(part.contentDigest)
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

    /// Writes a body behind what is there.
    ///
    /// - Parameter end: How long the file has to be then; nil where nobody said.
    private mutating func receive(_ body: ResponseBody, end: Int64?, total: Int64?) async throws {
        isReceiving = true
        for try await piece in body {
            if let end, Int64(piece.count) > end - count {
                throw ErrandError(.invalidContentRange, reason: "more came than the answer said")
            }
            count = try await file.add(piece)
            point?.count = count
            report(total: total)
        }
        // Transports see to that; a stub, or one of the caller's own, may not.
        if let end, count < end { throw URLError(.networkConnectionLost) }
    }

    private func finish(_ answer: DataResponse) async throws -> DownloadedFile {
        let digests = digests
        try await file.finish(digests)
        report(total: count)
        return DownloadedFile(
            url: download.target, byteCount: count, resumedByteCount: resumedCount, verifiedDigests: digests,
            statusCode: answer.statusCode, headers: answer.headers, responseURL: answer.url)
    }

    private func report(total: Int64?) {
        progress.update(TransferProgress.Snapshot(completed: count, total: total))
    }

    /// What the file is compared with.
    private var digests: [FileDigest] {
        var digests = [download.digest, serverDigest].compactMap(\.self)
        if digests.count == 2, digests[0] == digests[1] { digests.removeLast() }
        return digests
    }
    private var algorithms: Set<FileDigest.Algorithm> { Set(digests.map(\.algorithm)) }

    private mutating func wait(after error: any Error) -> Duration? {
        guard !error.isCancellation, !Task.isCancelled, let policy = download.policy, isHarmlessTwice(by: policy)
        else { return nil }
        let chance = policy.random()
        guard let wait = schedule?.wait(after: error, count: count, chance: chance) else { return nil }
        return policy.budget?.withdraw() ?? true ? wait : nil
    }

    /// Whether the server does no more when it gets the request twice.
    private func isHarmlessTwice(by policy: RetryPolicy) -> Bool {
        let method = RequestMethod(rawValue: download.request?.httpMethod ?? "GET")
        return policy.methods.contains(method) || download.request?.value(forHTTPHeaderField: "Idempotency-Key") != nil
    }

    /// The error with the answer that is to blame, and the first bytes of its body where they tell of a failure.
    private func blaming(_ answer: DataResponse, _ error: ErrandError) async -> ErrandError {
        let start = answer.statusCode >= 300 ? try? await answer.body.reader() : nil
        var response = DataResponse(
            statusCode: answer.statusCode, headers: answer.headers, data: start.flatMap(\.self) ?? Data(),
            url: answer.url)
        response.method = answer.method
        response.attempts = answer.attempts
        return error.with(response: response)
    }
}
