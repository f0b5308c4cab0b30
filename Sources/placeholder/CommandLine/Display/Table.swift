/// A value that is shown as a row of a table, or alone as a card.
protocol Tabular {
    static var columns: [Column<Self>] { get }
}

/// A column of a table, and a line of a card.
struct Column<Row> {
    let title: String
    let isNumber: Bool
    /// Whether only cards have this column.
    let isDetail: Bool
    let text: (Row) -> String

    /// A column of text.
    init(_ title: String, isDetail: Bool = false, _ text: @escaping (Row) -> String) {
        self.title = title
        self.isNumber = false
        self.isDetail = isDetail
        self.text = { text($0).onOneLine }
    }

    /// A column of numbers, aligned to the right.
    init(_ title: String, _ number: @escaping (Row) -> Int) {
        self.title = title
        self.isNumber = true
        self.isDetail = false
        self.text = { "\(number($0))" }
    }
}

/// Rows in aligned columns, at most as wide as the terminal.
struct Table<Row: Tabular> {
    let rows: [Row]
    let width: Int

    var text: String {
        if rows.isEmpty { return "(none)" }
        let columns = Row.columns.filter { !$0.isDetail }
        let lines = [columns.map { $0.title.uppercased() }] + rows.map { row in columns.map { $0.text(row) } }
        let widths = fitted(columns.indices.map { column in lines.map { $0[column].count }.max() ?? 0 })
        return lines.map { line in
            let cells = zip(columns, zip(line, widths)).map { column, cell in
                cell.0.truncated(to: cell.1).padded(to: cell.1, onTheLeft: column.isNumber)
            }
            return cells.joined(separator: "  ").withoutTrailingSpaces
        }
        .joined(separator: "\n")
    }

    /// The widths. The widest column gets narrower until a row fits, or no column can get narrower.
    private func fitted(_ natural: [Int]) -> [Int] {
        var widths = natural
        let available = width - 2 * (widths.count - 1)
        while widths.reduce(0, +) > available, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
            widths[widest] > 1
        {
            widths[widest] -= 1
        }
        return widths
    }
}

/// One row alone, with a line for each of its columns.
struct Card<Row: Tabular> {
    let row: Row

    var text: String {
        let width = Row.columns.map(\.title.count).max() ?? 0
        return Row.columns.map { "\($0.title.padded(to: width))  \($0.text(row))".withoutTrailingSpaces }
            .joined(separator: "\n")
    }
}

extension String {
    fileprivate func truncated(to width: Int) -> String {
        count > width ? prefix(width - 1) + "…" : self
    }

    fileprivate func padded(to width: Int, onTheLeft: Bool = false) -> String {
        let padding = String(repeating: " ", count: max(0, width - count))
        return onTheLeft ? padding + self : self + padding
    }

    fileprivate var withoutTrailingSpaces: String {
        String(reversed().drop { $0 == " " }.reversed())
    }
}
