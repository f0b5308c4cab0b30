/// Reads the properties of a service or a declarative request, whose types the user chose.
struct SettingReader {
    /// The type that has the properties.
    private let owner: String

    init(_ owner: Any.Type) {
        self.owner = "\(owner)"
    }

    /// Converts the value of one property.
    ///
    /// - Returns: `nil` for an optional without a value.
    /// - Throws: ``ErrandError`` with `invalidSetting` for a type that does not fit.
    func read<Setting>(
        _ name: String, _ value: Any, as expected: String, _ convert: (Any) throws -> Setting?
    ) throws -> Setting? {
        if let value = value as? Setting { return value }
        guard let wrapped = Self.unwrapped(value) else { return nil }
        if let setting = try convert(wrapped) { return setting }
        throw ErrandError(
            .invalidSetting,
            reason: "the property `\(name)` of \(owner) is of type \(type(of: value)), which is not \(expected)")
    }

    /// The value inside optionals of any depth; `nil` for an optional without one.
    private static func unwrapped(_ value: Any) -> Any? {
        guard let optional = value as? any OptionalValue else { return value }
        return optional.wrapped.flatMap(unwrapped)
    }

    /// Fails for a stored property that looks like a setting and would be ignored.
    ///
    /// - Parameters:
    ///   - value: The service or the request.
    ///   - types: The only type that each of these properties can have.
    ///   - foreign: Names that mean something elsewhere, and why they mean nothing here.
    func checkStoredProperties(
        of value: Any, types: [String: Any.Type], foreign: [String: String]
    ) throws(ErrandError) {
        for (label, property) in Mirror(reflecting: value).children {
            guard let label else { continue }
            if let why = foreign[label] {
                throw ErrandError(.invalidSetting, reason: "\(owner) has a property `\(label)`, but \(why)")
            }
            guard let expected = types[label], expected != type(of: property) else { continue }
            throw ErrandError(
                .invalidSetting,
                reason: "the property `\(label)` of \(owner) is of type \(type(of: property)), which is not \(expected)"
            )
        }
    }
}

private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrapped: Any? { self }
}
