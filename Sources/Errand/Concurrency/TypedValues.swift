/// Values of different types, at most one of each.
struct TypedValues: Sendable {
    private var values: [ObjectIdentifier: any Sendable] = [:]

    /// The value of a type; `nil` if there is none.
    subscript<Value: Sendable>(type: Value.Type) -> Value? {
        get {
            // A request asks for several, and mostly there are none: a lookup and a cast of nothing cost more than this.
            guard !values.isEmpty, let value = values[ObjectIdentifier(type)] else { return nil }
            return value as? Value
        }
        set { values[ObjectIdentifier(type)] = newValue }
    }
}
