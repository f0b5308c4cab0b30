/// A path with places for parameters, or a URL with places for variables.
struct PathTemplate {
    enum Piece {
        case text(String)
        case name(String)
    }

    let pieces: [Piece]

    init(_ path: String) {
        var pieces: [Piece] = []
        var start = path.startIndex
        var brace: String.Index?
        for index in path.indices {
            if path[index] == "{" { brace = index }
            guard path[index] == "}", let open = brace else { continue }
            if open > start { pieces.append(.text(String(path[start..<open]))) }
            pieces.append(.name(String(path[path.index(after: open)..<index])))
            start = path.index(after: index)
            brace = nil
        }
        if start < path.endIndex { pieces.append(.text(String(path[start...]))) }
        self.pieces = pieces
    }

    var names: [String] { pieces.compactMap { if case .name(let name) = $0 { name } else { nil } } }
}
