/// Looks for the name that a mistyped text stands for, for messages.
enum SimilarNames {
    /// Returns the end of a message about an unknown key, with the one that is most like it.
    static func hint(for key: String, among keys: [String]) -> String {
        nearest(key, keys).map { "; did you mean `\($0)`?" } ?? ""
    }

    /// Returns the name that is most like a text, if it differs little.
    static func nearest(_ text: String, _ names: [String]) -> String? {
        let limit = max(1, text.count / 3)
        var best: (distance: Int, name: String)?
        for name in names.prefix(5_000) where abs(name.count - text.count) <= limit {
            let distance = text.distance(to: name)
            if distance <= limit, distance < best?.distance ?? .max { best = (distance, name) }
        }
        return best?.name
    }
}

extension String {
    /// The number of characters to insert, remove or replace (Levenshtein).
    fileprivate func distance(to other: String) -> Int {
        let (left, right) = (Array(unicodeScalars.prefix(100)), Array(other.unicodeScalars.prefix(100)))
        var row = Array(0...right.count)
        for (index, scalar) in left.enumerated() {
            var previous = row[0]
            row[0] = index + 1
            for (column, candidate) in right.enumerated() {
                let cost = Swift.min(row[column] + 1, row[column + 1] + 1, previous + (scalar == candidate ? 0 : 1))
                previous = row[column + 1]
                row[column + 1] = cost
            }
        }
        return row[right.count]
    }
}
