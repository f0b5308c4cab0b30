internal import Foundation

/// JSON pointers (RFC 6901).
extension Node {
    /// The pointer to this value from the outermost one: `#/paths/~1books/get`.
    var pointer: String {
        if let origin { return origin.pointer }
        var tokens: [String] = []
        var node = self
        while let parent = node.parent {
            tokens.append(node.key ?? "")
            node = parent
        }
        return "#" + tokens.reversed().map { "/" + $0.escapedToken }.joined()
    }

    /// Walks a pointer from this value.
    ///
    /// - Parameter isFragment: Whether the pointer is the fragment of a URL, whose tokens are percent-encoded.
    /// - Returns: The value, or the first token that is missing and the value that does not have it.
    func walk(_ pointer: String, isFragment: Bool = false) -> (node: Node, missing: String?) {
        var node = self
        for token in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let name = (isFragment ? String(token).percentDecoded : String(token)).unescapedToken
            let index = Int(name) ?? -1
            guard let next = node[name] ?? (node.elements.indices.contains(index) ? node.elements[index] : nil) else {
                return (node, name)
            }
            node = next
        }
        return (node, nil)
    }
}

extension String {
    /// This text as a token of a pointer.
    var escapedToken: String {
        guard utf8.contains(where: { $0 == 0x7E || $0 == 0x2F }) else { return self }
        return replacing("~", with: "~0").replacing("/", with: "~1")
    }

    /// This token of a pointer without escapes.
    var unescapedToken: String {
        contains("~") ? replacing("~1", with: "/").replacing("~0", with: "~") : self
    }

    /// This text without percent encoding; itself if it is encoded wrongly.
    var percentDecoded: String { contains("%") ? removingPercentEncoding ?? self : self }
}
