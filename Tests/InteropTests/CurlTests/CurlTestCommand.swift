import Errand
import Foundation

/// The command of a test file of curl: the requests that Errand sends for it.
struct CurlTestCommand {
    /// The reason why a test is not replayed.
    struct Excluded: Error {
        let reason: String

        init(_ reason: String) {
            self.reason = reason
        }
    }

    private(set) var urls: [String] = []
    private(set) var method: String?
    private(set) var headers: [(name: String, value: String)] = []
    /// The parts of the body, which are joined with `&`.
    private(set) var data: [String] = []
    private(set) var dataType: String?
    private(set) var movesDataToQuery = false
    private(set) var isHead = false
    /// The body of `-T`, and the name that a URL gets which ends with a slash.
    private(set) var upload: (body: String, name: String?)?
    private(set) var followsRedirects = false
    private(set) var fails = false
    private(set) var user: String?
    private(set) var usesDigest = false
    private(set) var bearer: String?
    private(set) var proxy: String?
    private(set) var proxyUser: String?
    private(set) var noProxy: [String] = []
    private(set) var resolved: [String: [String]] = [:]
    private(set) var cookies: [String] = []
    private(set) var keepsCookies = false
    private(set) var cookieFiles: [String] = []
    private(set) var maximumSize: Int?
    private(set) var hasCompressed = false
    /// Whether the output has more than the response.
    private(set) var writesOut = false

    private let file: CurlTestFile

    /// - Throws: ``Excluded`` if the command has an option that is not replayed.
    init(_ file: CurlTestFile) throws {
        self.file = file
        var words = try Self.words(in: file.text("client", "command"))[...]
        while let word = words.popFirst() {
            if word.hasPrefix("--") {
                let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
                try readLong(parts[0]) { try parts.count == 2 ? parts[1] : Self.argument(&words, of: word) }
            } else if word.hasPrefix("-"), word != "-" {
                try readShort(word, &words)
            } else {
                urls.append(word)
            }
        }
        guard !urls.isEmpty else { throw Excluded("no URL") }
        if upload != nil, urls.count > 1 { throw Excluded("an upload and other URLs") }
        if usesDigest, user == nil { throw Excluded("--digest without -u") }
        let hasAccept = headers.contains { $0.name.lowercased() == "accept" }
        if dataType != nil, !hasAccept { headers.append(("Accept", "application/json")) }
    }

    private static func argument(_ words: inout ArraySlice<String>, of option: String) throws -> String {
        guard let word = words.popFirst() else { throw Excluded("\(option) without an argument") }
        return word
    }

    private mutating func readShort(_ word: String, _ words: inout ArraySlice<String>) throws {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let name = Self.longNames[letter] else { throw Excluded("option -\(letter)") }
            try readLong("--\(name)") {
                defer { letters = "" }
                return try letters.isEmpty ? Self.argument(&words, of: word) : String(letters)
            }
        }
    }

    private mutating func readLong(_ option: String, _ argument: () throws -> String) throws {
        switch option.dropFirst(2) {
        case "url": urls.append(try argument())
        case "request": method = try argument()
        case "header": try addHeader(try argument())
        case "user-agent": headers.append(("User-Agent", try argument()))
        case "referer":
            let referer = try argument()
            if referer.hasSuffix(";auto") { throw Excluded("a Referer that follows redirects") }
            headers.append(("Referer", referer))
        case "range":
            let range = try argument()
            headers.append(("Range", "bytes=\(range)\(range.contains("-") ? "" : "-")"))
        case "data", "data-ascii": data.append(try contents(try argument()).filter { !$0.isNewline && $0 != "\0" })
        case "data-binary": data.append(try contents(try argument()))
        case "data-raw": data.append(try argument())
        case "json":
            data = [data.joined() + (try contents(try argument()))]
            dataType = "application/json"
        case "get": movesDataToQuery = true
        case "head": isHead = true
        case "upload-file": upload = try uploaded(try argument())
        case "location": followsRedirects = true
        case "fail", "fail-with-body": fails = true
        case "user": user = try argument()
        case "basic": break
        case "digest": usesDigest = true
        case "oauth2-bearer": bearer = try argument()
        case "proxy": proxy = try argument()
        case "proxy-user": proxyUser = try argument()
        case "noproxy": noProxy = try argument().split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        case "resolve": try resolve(try argument())
        case "cookie": try addCookies(try argument())
        case "cookie-jar":
            _ = try argument()
            keepsCookies = true
        case "max-filesize": maximumSize = Int(try argument())
        case "compressed": hasCompressed = true
        case "write-out":
            _ = try argument()
            writesOut = true
        case "output", "dump-header", "stderr", "max-time", "connect-timeout": _ = try argument()
        case "silent", "show-error", "include", "show-headers", "no-include", "no-progress-meter", "progress-bar",
            "http1.1", "ipv4", "verbose", "no-buffer", "globoff":
            break
        default: throw Excluded("option \(option)")
        }
    }

    private static let longNames: [Character: String] = [
        "X": "request", "H": "header", "A": "user-agent", "e": "referer", "r": "range", "d": "data", "G": "get",
        "I": "head", "T": "upload-file", "L": "location", "f": "fail", "u": "user", "x": "proxy", "U": "proxy-user",
        "b": "cookie", "c": "cookie-jar", "w": "write-out", "o": "output", "D": "dump-header", "s": "silent",
        "S": "show-error", "i": "include", "#": "progress-bar", "4": "ipv4", "v": "verbose", "N": "no-buffer",
        "g": "globoff", "m": "max-time",
    ]

    private mutating func addHeader(_ field: String) throws {
        if field.hasPrefix("@") { throw Excluded("header fields from a file") }
        if let colon = field.firstIndex(of: ":") {
            let value = field[field.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            let name = String(field[..<colon])
            // curl removes a field without a value.
            if value.isEmpty {
                if name.lowercased() != "expect" { throw Excluded("a header field that is removed") }
            } else {
                headers.append((name, value))
            }
        } else if field.hasSuffix(";") {
            headers.append((String(field.dropLast()), ""))
        }
    }

    private mutating func resolve(_ entry: String) throws {
        let parts = entry.split(separator: ":", maxSplits: 2).map(String.init)
        guard parts.count == 3, !entry.hasPrefix("-"), !entry.hasPrefix("*") else {
            throw Excluded("--resolve of all hosts or none")
        }
        let host = parts[0].hasPrefix("+") ? String(parts[0].dropFirst()) : parts[0]
        resolved["\(host):\(parts[1])"] = parts[2].split(separator: ",").map(String.init)
    }

    private mutating func addCookies(_ argument: String) throws {
        keepsCookies = true
        if argument.contains("=") {
            cookies.append(argument)
        } else if let text = file.writtenFile(argument) {
            cookieFiles.append(text)
        }
    }

    /// The contents of a file that the argument names after an `@`; else the argument.
    private func contents(_ argument: String) throws -> String {
        guard argument.hasPrefix("@") else { return argument }
        return try read(String(argument.dropFirst()))
    }

    private func read(_ name: String) throws -> String {
        if name == "-" { return file["client", "stdin"]?.text ?? "" }
        guard let text = file.writtenFile(name) else { throw Excluded("a file that the test does not write") }
        return text
    }

    private func uploaded(_ name: String) throws -> (body: String, name: String?) {
        if name.contains(#/[{\[]/#) { throw Excluded("URL globbing") }
        return (try read(name), name == "-" ? nil : String(name.split(separator: "/").last ?? ""))
    }

    /// Splits a command line as a shell does.
    private static func words(in line: String) throws -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var characters = line.makeIterator()
        while let character = characters.next() {
            switch (character, quote) {
            case ("\\", nil), ("\\", "\""):
                guard let next = characters.next() else { break }
                if next.isNewline { continue }
                let isEscape = quote == nil || "\"\\$`".contains(next)
                word = (word ?? "") + (isEscape ? "\(next)" : "\\\(next)")
            case ("\"", "\""), ("'", "'"): quote = nil
            case ("\"", nil), ("'", nil):
                quote = character
                word = word ?? ""
            case (_, nil) where character.isWhitespace:
                if let word { words.append(word) }
                word = nil
            case ("<", nil), (">", nil), ("|", nil), ("&", nil), ("`", nil), ("$", nil), ("$", "\""), ("`", "\""):
                throw Excluded("shell syntax")
            default: word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        return words
    }
}
