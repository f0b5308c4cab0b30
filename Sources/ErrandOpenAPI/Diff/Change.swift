/// What a change of a document means for code that uses its client.
enum Impact: String, CaseIterable, Comparable {
    /// The code compiles, and does what it did.
    case harmless
    /// The code compiles, but sends another request, or reads a response in another way.
    case runTime = "run-time"
    /// Code that uses the changed declaration does not compile.
    case compile

    static func < (left: Impact, right: Impact) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .harmless: 0
        case .runTime: 1
        case .compile: 2
        }
    }

    /// The words before a change, and before the number of changes.
    var title: String {
        switch self {
        case .harmless: "harmless"
        case .runTime: "may break at run time"
        case .compile: "does not compile"
        }
    }
}

/// A difference between two clients.
struct Change {
    let impact: Impact
    /// The declaration in Swift: `Post.title`.
    let name: String
    let message: String
    /// The places in the old and in the new document; `nil` if the document does not have it.
    let old: Place?
    let new: Place?
}

extension Change: CustomStringConvertible {
    /// The change and its places, in the form in which compilers write places.
    var description: String {
        let places = [old, new].compactMap(\.self).map { place in
            let (line, column) = place.file.position(of: place.offset)
            return "\n  \(place.file.path):\(line):\(column) \(place.pointer.visibleLine)"
        }
        return "\(impact.title): \(message.visibleLine)\(places.joined())"
    }
}
