extension Collection where Element == any CodingKey {
    /// The path in the usual notation, such as `[3].address.city`; `the top level` if it is empty.
    ///
    /// The key of a dictionary is data, like its values, and is shown as `*`. The key `super` represents a superclass.
    package var writtenOut: String {
        guard !isEmpty else { return "the top level" }
        return reduce(into: "") { path, key in
            if let index = key.intValue, !key.isDeclared {
                path += "[\(index)]"
            } else {
                let isShown = key.isDeclared || key.stringValue == "super"
                path += (path.isEmpty ? "" : ".") + (isShown ? key.stringValue : "*")
            }
        }
    }

    /// The path with `*` for the keys of dictionaries.
    package var withoutData: [any CodingKey] {
        map { $0.isDeclared || $0.intValue != nil ? $0 : HiddenKey() }
    }
}

extension CodingKey {
    /// Whether the key is a case of a type's `CodingKeys` enumeration. The keys of dictionaries and arrays have types
    /// of the standard library or of Foundation.
    fileprivate var isDeclared: Bool {
        let type = String(reflecting: type(of: self))
        return Mirror(reflecting: self).displayStyle == .enum && !type.hasPrefix("Foundation")
            && !type.hasPrefix("Swift.")
    }
}

/// The replacement for the key of a dictionary.
private struct HiddenKey: CodingKey {
    var stringValue: String { "*" }
    var intValue: Int? { nil }

    init() {}
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }
}
