/// A string that does not appear in descriptions, mirrors and `dump`, including those of values that contain it.
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
