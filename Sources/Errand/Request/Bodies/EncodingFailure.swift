/// A sentence that says where and why a value could not be encoded, without any part of the value.
struct EncodingFailure: CustomStringConvertible {
    let description: String

    /// - Returns: `nil` for an error that is not an `EncodingError`, because its text could contain the value.
    init?(_ error: any Error) {
        guard case EncodingError.invalidValue(let value, let context) = error else { return nil }
        let reason =
            Self.isNotFinite(value)
            ? "it is not a finite number" : "the encoder does not accept this value of type \(type(of: value))"
        description = "\(context.codingPath.writtenOut) cannot be encoded: \(reason)"
    }

    private static func isNotFinite(_ value: Any) -> Bool {
        switch value {
        case let value as Double: !value.isFinite
        case let value as Float: !value.isFinite
        default: false
        }
    }
}
