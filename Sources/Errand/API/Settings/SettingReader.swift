/// A reader of the properties of a service or a declarative request, whose types the user chooses.
struct SettingReader {
    /// The type that declares the properties.
    private let owner: String

    init(_ owner: Any.Type) {
        self.owner = "\(owner)"
    }

    /// Converts the value of one property.
    ///
    /// - Returns: `nil` for an optional without a value, and for a property that is not declared.
    /// - Throws: ``ErrandError`` with `invalidSetting` for a type that does not fit.
    func read<Setting>(
        _ name: String, _ value: Any, as expected: String, _ convert: (Any) throws -> Setting?
    ) throws -> Setting? {
        if value is NoSetting { return nil }
        if let value = value as? Setting { return value }
        guard let wrapped = Self.unwrapped(value) else { return nil }
        if let setting = try convert(wrapped) { return setting }
        throw misfit(name, value, expected)
    }

    /// Returns the error for a property whose type does not fit.
    func misfit(_ name: String, _ value: Any, _ expected: String) -> ErrandError {
        ErrandError(
            .invalidSetting,
            reason: "the property `\(name)` of \(owner) is of type \(type(of: value)), which is not \(expected)")
    }

    /// Unwraps optionals of any depth; returns `nil` for an optional without a value.
    static func unwrapped(_ value: Any) -> Any? {
        guard let optional = value as? any OptionalValue else { return value }
        return optional.wrapped.flatMap(unwrapped)
    }
}

private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrapped: Any? { self }
}
