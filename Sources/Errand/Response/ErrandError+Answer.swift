extension ErrandError {
    /// Returns this error with the response that caused it.
    func with(answer: DataResponse) -> ErrandError {
        var error = self
        error.method = answer.method
        error.url = answer.url?.redacted
        error.attempts = answer.attempts
        error.statusCode = answer.statusCode
        error.headers = answer.headers
        error.payloadDecoder = answer.decoder
        return error
    }
}
