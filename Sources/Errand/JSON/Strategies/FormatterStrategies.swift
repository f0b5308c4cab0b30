// On Apple platforms a strategy can have a `DateFormatter` as a case of its own; elsewhere Foundation makes it a closure.
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
