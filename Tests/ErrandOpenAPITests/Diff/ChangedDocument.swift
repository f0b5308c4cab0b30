import ErrandJSON
import Foundation
import Testing

@testable import ErrandOpenAPI

/// The document of `Tests/OpenAPIDiff`, with changes.
struct ChangedDocument {
    /// A row of `changes.json`, which `.ci/deep-steps/openapi-diff` reads too.
    struct Row: Decodable, Sendable, CustomTestStringConvertible {
        let change: String
        let verdict: String
        let patch: [Step]
        let messages: [String]

        var testDescription: String { change }
    }

    /// An operation of JSON Patch. Unlike `JSONPatch`, a changed document keeps the order of its members.
    struct Step: Decodable, Sendable {
        let op: String
        let path: String
        let from: String?
        let value: JSONValue?
    }

    struct Fault: Error {
        let path: String
    }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../OpenAPIDiff")
        .standardized
    static let rows: [Row] = {
        let data = try? Data(contentsOf: folder.appending(path: "changes.json"))
        return data.flatMap { try? FastJSONDecoder().decode([Row].self, from: $0) } ?? []
    }()

    static func original() throws -> String {
        try String(contentsOf: folder.appending(path: "board.json"), encoding: .utf8)
    }

    /// Returns the document after changes.
    static func changed(_ patch: [Step]) throws -> String {
        var node = try read(try original())
        for step in patch {
            var value: Node?
            if let from = step.from {
                value = Self.value(at: tokens(from)[...], of: node)
                node = try replace(tokens(from)[...], of: node, with: nil)
            } else if let json = step.value {
                value = try read(String(decoding: try FastJSONEncoder().encode(json), as: UTF8.self))
            }
            node = try replace(tokens(step.path)[...], of: node, with: value, inserts: step.op != "replace")
        }
        return node.json
    }

    private static func read(_ text: String) throws -> Node {
        let loader = Loader(Diagnostics()) { _ in Array(text.utf8) }
        guard let root = loader.root(of: "value.json") else { throw Fault(path: text) }
        return root
    }

    private static func tokens(_ pointer: String) -> [String] {
        pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
            String($0).replacing("~1", with: "/").replacing("~0", with: "~")
        }
    }

    private static func value(at path: ArraySlice<String>, of node: Node) -> Node? {
        guard let first = path.first else { return node }
        let next = node.isArray ? Int(first).map { node.elements[$0] } : node[first]
        return next.flatMap { value(at: path.dropFirst(), of: $0) }
    }

    /// Returns a node with another value at a path. Without a value, what is there is removed.
    private static func replace(
        _ path: ArraySlice<String>, of node: Node, with value: Node?, inserts: Bool = false
    ) throws -> Node {
        guard let first = path.first else { throw Fault(path: "") }
        let isLast = path.count == 1
        if node.isArray {
            var elements = node.elements
            let index = first == "-" ? elements.count : Int(first) ?? elements.count
            if !isLast {
                elements[index] = try replace(path.dropFirst(), of: elements[index], with: value, inserts: inserts)
            } else if let value, inserts {
                elements.insert(value, at: index)
            } else {
                elements.replaceSubrange(index...index, with: value.map { [$0] } ?? [])
            }
            return Node(.array(elements), like: node)
        }
        var members = node.members
        let index = members.firstIndex { $0.key == first }
        guard let index else {
            guard isLast, let value, inserts else { throw Fault(path: first) }
            members.append(Node.Member(key: first, offset: 0, value: value))
            return Node(.object(members), like: node)
        }
        if isLast, value == nil {
            members.remove(at: index)
        } else {
            let new =
                try isLast ? value : replace(path.dropFirst(), of: members[index].value, with: value, inserts: inserts)
            members[index] = Node.Member(key: first, offset: 0, value: new ?? members[index].value)
        }
        return Node(.object(members), like: node)
    }
}
