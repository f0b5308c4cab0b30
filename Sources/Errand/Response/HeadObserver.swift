/// Learns the head of what a scheduled request is answered with, on its way to validation.
///
/// The pipeline between a request and its response is the caller's own, and may turn an answer into anything; so the head
/// is told to whoever runs the pipeline, by way of the task.
final class HeadObserver: Sendable {
    /// Who wants to know, in the run that is under way.
    @TaskLocal static var current: HeadObserver?

    private let head = Locked<ResponseHead?>(nil)

    /// The head of the last answer; nil when the request was sent again since, and none came.
    var latest: ResponseHead? { head.withLock { $0 } }

    func noAnswerCame() {
        head.withLock { $0 = nil }
    }

    func answerHasCome(_ response: DataResponse) {
        head.withLock { $0 = ResponseHead(response) }
    }
}
