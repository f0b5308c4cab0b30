/// Looks for the name that a mistyped text stands for, for messages.
enum SimilarNames {
    /// Returns the end of a message about an unknown name, with the one that is most like it.
    ///
    /// - Parameter mark: What is around the name: a backtick for keys, nothing for names of a document.
    static func hint(for name: String, among names: [String], mark: String = "`") -> String {
        nearest(name, names).map { "; did you mean \(mark)\($0)\(mark)?" } ?? ""
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
