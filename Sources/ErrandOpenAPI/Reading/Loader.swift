internal import Foundation

/// Reads the files of a document, each once.
final class Loader {
    /// The maximum size of a file in bytes.
    static let maximumFileSize = 100_000_000

    let diagnostics: Diagnostics
    private let readFile: (String) throws -> [UInt8]
    private var roots: [String: Node?] = [:]
    /// Whether a file is YAML and libyaml is not installed.
    private(set) var lacksYAML = false

    init(
        _ diagnostics: Diagnostics,
        readFile: @escaping (String) throws -> [UInt8] = { [UInt8](try Data(contentsOf: URL(fileURLWithPath: $0))) }
    ) {
        self.diagnostics = diagnostics
        self.readFile = readFile
    }

    /// Returns a loader of the same files that reports nothing.
    func silent() -> Loader {
        let loader = Loader(Diagnostics(), readFile: readFile)
        loader.roots = roots
        return loader
    }

    /// Returns the outermost value of a file, or `nil` if it cannot be read.
    ///
    /// - Parameter reference: The reference to the file; `nil` for the first one. A missing file is reported there.
    func root(of path: String, from reference: Node? = nil) -> Node? {
        if let known = roots[path] { return known }
        let root = read(path, reference)
        roots[path] = root
        return root
    }

    private func read(_ path: String, _ reference: Node?) -> Node? {
        let bytes: [UInt8]
        do {
            bytes = try readFile(path)
        } catch {
            let kind: Diagnostic.Kind = reference == nil ? .file : .reference
            diagnostics.report(.error, kind, "the file \(path) cannot be read", at: reference?.place)
            return nil
        }
        guard bytes.count <= Self.maximumFileSize else {
            let message = "the file \(path) has more than \(Self.maximumFileSize) bytes"
            diagnostics.report(.error, .limit, message, at: reference?.place)
            return nil
        }
        let text = Self.utf8(bytes)
        let isJSON = Self.isJSON(path, text)
        let file = SourceFile(path: path, text: text, unit: isJSON ? .bytes : .characters)
        if isJSON { return JSONReader.read(file, diagnostics) }
        guard YAMLReader.isAvailable else {
            lacksYAML = true
            let message = "YAML needs libyaml: install it (libyaml-0-2, libyaml), or convert the document to JSON"
            diagnostics.report(.error, .file, message, at: Place(file: file, offset: 0, pointer: "#"))
            return nil
        }
        return YAMLReader.read(file, diagnostics)
    }

    /// Decides by the extension, or else by the first character.
    private static func isJSON(_ path: String, _ text: [UInt8]) -> Bool {
        if path.hasSuffix(".json") { return true }
        if path.hasSuffix(".yaml") || path.hasSuffix(".yml") { return false }
        let first = text.first { $0 > 0x20 }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    /// Removes a byte order mark, and converts UTF-16.
    private static func utf8(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
        guard bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) else { return bytes }
        return String(data: Data(bytes), encoding: .utf16).map { Array($0.utf8) } ?? bytes
    }
}
