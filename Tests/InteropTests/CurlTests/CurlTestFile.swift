import Foundation

/// A test file of curl: its sections, such as `data` of `reply`, with all macros replaced.
struct CurlTestFile {
    /// A section with its attributes, such as `nocheck`, and its text of one-byte characters.
    struct Section {
        let parent: String
        let name: String
        let attributes: [String: String]
        var text: String
    }

    private(set) var sections: [Section] = []

    /// Parses the lines of a file.
    ///
    /// - Parameter macros: `nil` to keep the macros.
    init(_ bytes: Data, macros: CurlTestMacros?) throws {
        var lines = String(latin1: bytes).keptLines
        if let macros { lines = try macros.expand(lines) }
        var parent = ""
        var open: Section?
        for line in lines {
            let label = Self.label(line)
            if let name = open?.name {
                if label?.name == "/\(name)", let section = open {
                    sections.append(section.finished)
                    open = nil
                } else {
                    open?.text += line
                }
            } else if let label, !label.name.hasPrefix("/") {
                if ["testcase", "info", "reply", "client", "verify"].contains(label.name) {
                    parent = label.name
                } else {
                    open = Section(parent: parent, name: label.name, attributes: label.attributes, text: "")
                }
            }
        }
    }

    subscript(parent: String, name: String) -> Section? {
        sections.first { $0.parent == parent && $0.name == name }
    }

    /// The trimmed text of a section; empty without such a section.
    func text(_ parent: String, _ name: String) -> String {
        self[parent, name]?.text.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    }

    /// The lines of a section that are not empty.
    func lines(_ parent: String, _ name: String) -> [String] {
        text(parent, name).split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }

    /// The response with this number.
    func response(_ part: Int) -> Section? { self["reply", part == 0 ? "data" : "data\(part)"] }

    /// The text of the file that the test writes before the command runs; `nil` without such a file.
    func writtenFile(_ name: String) -> String? {
        sections.first { $0.parent == "client" && $0.name.hasPrefix("file") && $0.attributes["name"] == name }?.text
    }

    /// Returns the name and the attributes of a line that is a label.
    private static func label(_ line: String) -> (name: String, attributes: [String: String])? {
        guard line.hasPrefix("<") else { return nil }
        let line = line.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let match = line.wholeMatch(of: #/<(/?[A-Za-z0-9]+)((?:\s+[a-z]+=(?:"[^"]*"|'[^']*'))*)\s*>/#) else {
            return nil
        }
        var attributes: [String: String] = [:]
        for attribute in match.2.matches(of: #/([a-z]+)=(?:"([^"]*)"|'([^']*)')/#) {
            attributes[String(attribute.1)] = String(attribute.2 ?? attribute.3 ?? "")
        }
        return (String(match.1), attributes)
    }
}

extension CurlTestFile.Section {
    /// The section with the line ends that its attributes ask for.
    fileprivate var finished: Self {
        var section = self
        var followsField = false
        let lines = text.keptLines.map { line -> String in
            guard line.unicodeScalars.last == "\n" else { return line }
            let content = line.unicodeScalars.dropLast().reversed().drop { $0 == "\r" }.reversed()
            let isField = String(String.UnicodeScalarView(content)).isHeadLine && !line.unicodeScalars.contains("\r")
            let isEmpty = line == "\n" && followsField
            followsField = isField
            let isConverted = attributes["crlf"] == "yes" || attributes["crlf"] == "headers" && (isField || isEmpty)
            return isConverted ? String(String.UnicodeScalarView(content)) + "\r\n" : line
        }
        section.text = lines.joined()
        if attributes["nonewline"] == "yes" {
            let isCRLF = section.text.unicodeScalars.suffix(2).elementsEqual("\r\n".unicodeScalars)
            section.text.unicodeScalars.removeLast(isCRLF ? 2 : 1)
        }
        return section
    }
}

extension String {
    /// Whether a line looks like one of the head of a request or a response.
    fileprivate var isHeadLine: Bool {
        contains(#/^HTTP/(1\.1|1\.0|2|3) ([1-5]|9)/#) || contains(#/^[A-Z]+ \S+ HTTP/\d/#)
            || contains(#/^[A-Za-z0-9_-]+: /#) && !hasPrefix("curl: (")
    }
}
