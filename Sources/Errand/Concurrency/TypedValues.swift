/// Values of different types, at most one of each type.
struct TypedValues: Sendable {
    private var values: [ObjectIdentifier: any Sendable] = [:]

    /// The value of a type; `nil` if it is missing.
    subscript<Value: Sendable>(type: Value.Type) -> Value? {
        get {
            // Each request reads several values, and most tasks have none. This check avoids a lookup and a dynamic
            // cast.
            guard !values.isEmpty, let value = values[ObjectIdentifier(type)] else { return nil }
            return value as? Value
        }
        set { values[ObjectIdentifier(type)] = newValue }
    }
}
