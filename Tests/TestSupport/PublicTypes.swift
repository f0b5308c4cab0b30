import Foundation
import Testing

/// The public types of products: values of those that can hold a secret, with ``secret`` in each property, and the
/// names of those that cannot.
package struct PublicTypes: Sendable {
    package static let secret = "hunter2"

    /// Whether the sources of the package are there, whose public types are found by their declarations.
    package static var hasSources: Bool { FileManager.default.fileExists(atPath: sources.path) }

    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Sources").standardized

    private let products: [String]
    private let values: @Sendable () -> [String: [Any]]
    private let others: Set<String>

    package init(
        of products: [String], values: @escaping @Sendable () -> [String: [Any]], others: Set<String>
    ) {
        self.products = products
        self.values = values
        self.others = others
    }

    /// The names of the types that can hold a secret.
    package var names: [String] { values().keys.sorted() }

    /// Checks that no description of the values of a type has the secret.
    package func expectNoSecret(in name: String) throws {
        for value in try #require(values()[name]) {
            var dumped = ""
            dump(value, to: &dumped)
            dump([value], to: &dumped)
            let wrapped: [String: Any] = ["key": value]
            for text in ["\(value)", String(reflecting: value), "\(wrapped)", dumped] {
                #expect(!text.contains(Self.secret), "\(text)")
                // The secret does not appear in base64 or as bytes either.
                #expect(!["aHVudGVy", "104, 117, 110", "- 104\n"].contains { text.contains($0) }, "\(text)")
            }
        }
    }

    /// Checks that the products declare these public types and no others.
    package func expectToBeComplete() throws {
        var declared: Set<String> = []
        for product in products {
            // The package that stands for Apple platforms has links to the folders.
            let folder = Self.sources.appendingPathComponent(product).resolvingSymlinksInPath()
            let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            for case let file as URL in files where file.pathExtension == "swift" {
                declared.formUnion(Self.publicTypes(in: try String(contentsOf: file, encoding: .utf8)))
            }
        }
        #expect(!declared.isEmpty)
        #expect(declared.symmetricDifference(others.union(names)).sorted() == [])
    }

    /// Returns the names of the public types that a source file declares, such as `HeaderFields.Field`. Iterators are
    /// omitted: they hold what they have read and are not meant for printing.
    private static func publicTypes(in source: String) -> [String] {
        // The type or extension that is open at each depth.
        var path: [Substring] = []
        var names: [String] = []
        let declaration = #/( *)(?:[a-z]+ )*?(?:actor|class|enum|struct|extension) ([A-Z][A-Za-z.]*).*/#
        for line in source.split(separator: "\n") {
            guard let match = line.wholeMatch(of: declaration) else { continue }
            path = path.prefix(match.1.count / 4) + [match.2]
            guard line.contains(#/^ *(public|open) /#), match.2 != "AsyncIterator" else { continue }
            names.append(path.joined(separator: "."))
        }
        return names.filter { !$0.contains("AsyncIterator") && !$0.hasSuffix("StringInterpolation") }
    }
}
