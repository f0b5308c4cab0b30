extension Collection where Element == any CodingKey {
    /// The path as one writes it: `[3].address.city`; `the top level` when it is empty.
    ///
    /// A key that no type declares is one of a dictionary, and as much a part of the data as a value: it is a `*`.
    var writtenOut: String {
        guard !isEmpty else { return "the top level" }
        return reduce(into: "") { path, key in
            if let index = key.intValue, !key.isDeclared {
                path += "[\(index)]"
            } else {
                path += (path.isEmpty ? "" : ".") + (key.isDeclared ? key.stringValue : "*")
            }
        }
    }

    /// The path without the keys that are data.
    var withoutData: [any CodingKey] {
        map { $0.isDeclared || $0.intValue != nil ? $0 : HiddenKey() }
    }
}

extension CodingKey {
    /// Whether a type's own `CodingKeys` has it: these are enumerations. The keys of dictionaries and arrays are types of
    /// the standard library's and Foundation's.
    fileprivate var isDeclared: Bool {
        let type = String(reflecting: type(of: self))
        return Mirror(reflecting: self).displayStyle == .enum && !type.hasPrefix("Foundation")
            && !type.hasPrefix("Swift.")
    }
}

/// Stands where a key was that is data.
private struct HiddenKey: CodingKey {
    var stringValue: String { "*" }
    var intValue: Int? { nil }

    init() {}
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }
}
