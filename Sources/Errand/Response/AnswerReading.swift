/// An iterator that knows whose body it reads, so that errors can say it.
protocol AnswerReading {
    var answer: DataResponse? { get }
}

extension AnswerReading? {
    /// An error in our own words, with what is known of the answer where it does not say it itself.
    func describing(_ error: any Error) -> any Error {
        let error = error is CancellationError ? ErrandError(.cancelled) : error
        guard let ours = error as? ErrandError, ours.url == nil, let answer = self?.answer else { return error }
        return ours.with(answer: answer)
    }
}
