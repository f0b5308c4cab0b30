import Errand

/// The cassettes that the environment variable `ERRAND_RECORD` selects for recording.
struct RecordingSelection: Sendable {
    static let variable = "ERRAND_RECORD"

    private enum Scope: Sendable {
        case none
        case all
        case missing
        case named([String])
    }

    private let scope: Scope

    /// Parses the variable's value: `all`, `missing`, or names separated by commas. Without a value, no cassette is
    /// recorded.
    init(_ value: String?) {
        let names = (value ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
        scope =
            switch names {
            case []: .none
            case ["all"]: .all
            case ["missing"]: .missing
            default: .named(names)
            }
    }

    /// Returns `true` if a cassette is to be recorded.
    ///
    /// - Parameters:
    ///   - file: The cassette's file.
    ///   - exists: Whether the file exists.
    func includes(_ file: URL, exists: Bool) -> Bool {
        switch scope {
        case .none: false
        case .all: true
        case .missing: !exists
        case .named(let names): names.contains { Self.names($0, file) }
        }
    }

    /// Returns a value that selects this cassette.
    static func value(for file: URL) -> String {
        let name = file.deletingPathExtension().lastPathComponent
        return name.contains(",") || ["all", "missing"].contains(name) ? "missing" : name
    }

    /// Returns `true` if a name selects a file: it must be the end of the file's path without the extension, in whole
    /// components. A name that ends with a slash selects the files in a folder.
    private static func names(_ name: String, _ file: URL) -> Bool {
        let path =
            name.hasSuffix("/")
            ? file.deletingLastPathComponent().path + "/" : file.deletingPathExtension().path
        return path.hasSuffix("/\(name)")
    }
}
