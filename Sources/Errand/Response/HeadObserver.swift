/// Learns the head of what a scheduled request is answered with, on its way to validation.
///
/// The pipeline between a request and its response is the caller's own, and may turn an answer into anything; so the head
/// is told to whoever runs the pipeline, by way of the task.
final class HeadObserver: Sendable {
    /// Who wants to know, in the run that is under way.
    @TaskLocal static var current: HeadObserver?

    private let answer = Locked<(head: ResponseHead, digest: Int?)?>(nil)
    private let wantsDigest: Bool
    /// Who else wants to know: what runs a scheduled request may be observed itself.
    private let others: [HeadObserver]

    init(wantsDigest: Bool = false, telling others: [HeadObserver] = []) {
        self.wantsDigest = wantsDigest
        self.others = others
    }

    /// The head of the last answer; nil when the request was sent again since, and none came.
    var latest: ResponseHead? { answer.withLock { $0?.head } }

    /// The same for two answers with the same body; nil where it was not asked for.
    var digest: Int? { answer.withLock { $0?.digest } }

    func noAnswerCame() {
        answer.withLock { $0 = nil }
        for other in others { other.noAnswerCame() }
    }

    func answerHasCome(_ response: DataResponse) {
        let seen = (ResponseHead(response), wantsDigest ? Self.digest(of: response.data) : nil)
        answer.withLock { $0 = seen }
        for other in others { other.answerHasCome(response) }
    }

    /// The head of an answer that came before anybody observed it.
    func headIsKnown(_ head: ResponseHead) {
        answer.withLock { $0 = (head, nil) }
    }

    /// `Data`'s own hash looks at the first bytes only.
    private static func digest(of data: Data) -> Int {
        var hasher = Hasher()
        data.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
