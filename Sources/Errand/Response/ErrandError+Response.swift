extension ErrandError {
    /// Returns this error with the head of the response that caused it, and without its body.
    func with(headOf response: DataResponse) -> ErrandError {
        var error = self
        error.method = response.method
        error.url = response.url?.redacted
        error.attempts = response.attempts
        error.statusCode = response.statusCode
        error.headers = response.headers
        error.payloadDecoder = response.decoder
        return error
    }
}
