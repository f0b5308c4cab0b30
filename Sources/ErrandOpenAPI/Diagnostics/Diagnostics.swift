/// The messages of one run, in the order in which they were reported.
final class Diagnostics {
    private(set) var all: [Diagnostic] = []
    /// The messages that were reported already: several operations can use one faulty part of a document.
    private var seen: Set<String> = []

    /// The maximum number of messages of one kind and severity that are shown.
    static let shownOfKind = 5

    func report(
        _ severity: Diagnostic.Severity, _ kind: Diagnostic.Kind, _ message: String, at place: Place? = nil
    ) {
        let key = "\(kind.rawValue) \(message) \(place?.file.path ?? "") \(place?.offset ?? 0)"
        guard seen.insert(key).inserted else { return }
        all.append(Diagnostic(severity: severity, kind: kind, message: message, place: place))
    }

    func count(of severity: Diagnostic.Severity) -> Int { all.count { $0.severity == severity } }

    var hasErrors: Bool { count(of: .error) > 0 }

    /// The messages to show: errors, warnings and notes, each kind at most five times and then counted.
    func lines() -> [String] {
        [Diagnostic.Severity.error, .warning, .note].flatMap { severity in
            Diagnostic.Kind.allCases.flatMap { kind in
                let messages = all.filter { $0.severity == severity && $0.kind == kind }
                let shown = messages.prefix(Self.shownOfKind).map(\.description)
                let others = messages.count - shown.count
                return others > 0 ? shown + ["\(others) more of \(severity.rawValue) [\(kind.rawValue)]"] : shown
            }
        }
    }
}
