/// The changes between two documents, as text and as JSON.
struct DiffReport {
    let changes: [Change]

    /// The largest impact; `nil` if nothing changes for users of the client.
    var verdict: Impact? { changes.map(\.impact).max() }

    /// The changes and their number.
    var lines: [String] {
        guard !changes.isEmpty else { return ["no change for code that uses the client"] }
        let counts = Impact.allCases.reversed().compactMap { impact in
            let count = changes.count { $0.impact == impact }
            return count == 0 ? nil : "\(impact.title): \(count)"
        }
        return changes.map(\.description) + [counts.joined(separator: ", ")]
    }

    /// The verdict, and an object for each change with its places.
    var json: String {
        var writer = CodeWriter()
        writer.line("{")
        writer.line("  \"verdict\": \((verdict?.rawValue ?? "none").jsonLiteral),")
        for impact in Impact.allCases {
            writer.line("  \(impact.rawValue.jsonLiteral): \(changes.count { $0.impact == impact }),")
        }
        writer.line("  \"changes\": [")
        for (index, change) in changes.enumerated() {
            writer.line("    \(Self.json(change))\(index < changes.count - 1 ? "," : "")")
        }
        writer.line("  ]")
        writer.line("}")
        return writer.text
    }

    private static func json(_ change: Change) -> String {
        var members = [("impact", change.impact.rawValue), ("name", change.name), ("message", change.message)].map {
            "\"\($0.0)\": \($0.1.jsonLiteral)"
        }
        for (key, place) in [("old", change.old), ("new", change.new)] {
            guard let place else { continue }
            let (line, column) = place.file.position(of: place.offset)
            let path = "\"file\": \(place.file.path.jsonLiteral), \"line\": \(line), \"column\": \(column)"
            members.append("\"\(key)\": {\(path), \"pointer\": \(place.pointer.jsonLiteral)}")
        }
        return "{\(members.joined(separator: ", "))}"
    }
}
