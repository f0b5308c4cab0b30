/// A text that nothing shows: no description, no mirror and no `dump` of whatever holds it.
struct Secret: Hashable, Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var description: String { "***" }
    var debugDescription: String { "***" }
    var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
