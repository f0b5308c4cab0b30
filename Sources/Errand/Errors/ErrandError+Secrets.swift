extension ErrandError {
    /// Returns the cause without secrets in it, such as the URL of a `URLError` or the values of a coding error.
    static func withoutSecrets(_ cause: any Error) -> any Error {
        if let cause = URLError(bridging: cause) { return cause }
        return switch cause {
        case let cause as DecodingError: cause.withoutValues
        case let cause as EncodingError: cause.withoutValues
        default: cause
        }
    }
}

extension DecodingError {
    /// The same failure at the same place, without the text that may contain parts of the document.
    fileprivate var withoutValues: DecodingError {
        switch self {
        case .typeMismatch(let type, let context): .typeMismatch(type, context.withoutValues)
        case .valueNotFound(let type, let context): .valueNotFound(type, context.withoutValues)
        case .keyNotFound(let key, let context): .keyNotFound([key].withoutData[0], context.withoutValues)
        case .dataCorrupted(let context): .dataCorrupted(context.withoutValues)
        @unknown default: self
        }
    }
}

extension DecodingError.Context {
    fileprivate var withoutValues: DecodingError.Context {
        DecodingError.Context(codingPath: codingPath.withoutData, debugDescription: "")
    }
}

extension EncodingError {
    /// The same failure at the same place, without the value.
    fileprivate var withoutValues: EncodingError {
        guard case .invalidValue(_, let context) = self else { return self }
        let place = EncodingError.Context(codingPath: context.codingPath.withoutData, debugDescription: "")
        return .invalidValue((), place)
    }
}

extension URLError {
    /// Creates a `URLError` from an error in Foundation's URL domain, which is a `URLError` or an `NSError`; `nil` for
    /// other errors.
    init?(bridging error: any Error) {
        let error = error as NSError
        guard error.domain == NSURLErrorDomain else { return nil }
        self.init(URLError.Code(rawValue: error.code) ?? .unknown)
    }
}
