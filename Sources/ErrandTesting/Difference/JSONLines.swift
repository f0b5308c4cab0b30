import Errand

/// JSON as text that is the same for the same value: indented, keys in order, numbers in one form.
enum JSONLines {
    /// The text of a JSON document of any kind; nil when it is none.
    static func text(of document: Data) -> String? {
        guard
            let value = try? JSONSerialization.jsonObject(with: document, options: .fragmentsAllowed),
            let data = try? JSONSerialization.data(
                withJSONObject: value,
                options: [.prettyPrinted, .sortedKeys, .fragmentsAllowed, .withoutEscapingSlashes])
        else { return nil }
        return String(decoding: data, as: UTF8.self)
    }
}
