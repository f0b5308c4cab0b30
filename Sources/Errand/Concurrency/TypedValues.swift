/// Values of different types, at most one of each.
struct TypedValues: Sendable {
    private var values: [ObjectIdentifier: any Sendable] = [:]

    /// The value of a type; `nil` if there is none.
    subscript<Value: Sendable>(type: Value.Type) -> Value? {
        get { values[ObjectIdentifier(type)] as? Value }
        set { values[ObjectIdentifier(type)] = newValue }
    }
}
