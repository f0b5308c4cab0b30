extension Collection where Element == any CodingKey {
    /// The path as one writes it: `[3].address.city`; `the top level` when it is empty.
    var writtenOut: String {
        guard !isEmpty else { return "the top level" }
        return reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}
