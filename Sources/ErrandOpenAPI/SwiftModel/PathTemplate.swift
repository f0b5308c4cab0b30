/// A path with places for parameters.
struct PathTemplate {
    enum Piece {
        case text(String)
        case name(String)
    }

    let pieces: [Piece]

    init(_ path: String) {
        var pieces: [Piece] = []
        var rest = path[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            if start > rest.startIndex { pieces.append(.text(String(rest[..<start]))) }
            pieces.append(.name(String(rest[rest.index(after: start)..<end])))
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        self.pieces = pieces
    }

    var names: [String] { pieces.compactMap { if case .name(let name) = $0 { name } else { nil } } }
}
