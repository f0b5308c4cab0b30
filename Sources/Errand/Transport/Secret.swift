/// A text that stays out of descriptions, mirrors and `dump`, also of the values that hold it.
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
