// On Apple platforms, a `DateFormatter` is a case of the strategy. On Linux, Foundation wraps it in a `.custom`
// closure.
#if canImport(Darwin)
extension JSONDecoder.DateDecodingStrategy {
    var formatter: DateFormatter? {
        guard case .formatted(let formatter) = self else { return nil }
        return formatter
    }
}

extension JSONEncoder.DateEncodingStrategy {
    var formatter: DateFormatter? {
        guard case .formatted(let formatter) = self else { return nil }
        return formatter
    }
}
#else
extension JSONDecoder.DateDecodingStrategy {
    var formatter: DateFormatter? { nil }
}

extension JSONEncoder.DateEncodingStrategy {
    var formatter: DateFormatter? { nil }
}
#endif
