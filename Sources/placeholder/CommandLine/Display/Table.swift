/// A value that is shown as a row of a table, or alone as a card.
protocol Tabular {
    static var columns: [Column<Self>] { get }
}

/// A column of a table, and a line of a card.
struct Column<Row> {
    let title: String
    /// Whether only cards have this column.
    let isDetail: Bool
    let text: (Row) -> String

    init<Value: CustomStringConvertible>(
        _ title: String, isDetail: Bool = false, _ value: @escaping (Row) -> Value
    ) {
        self.title = title
        self.isDetail = isDetail
        text = { "\(value($0))".onOneLine }
    }
}

/// Rows in aligned columns.
struct Table<Row: Tabular> {
    let rows: [Row]

    var text: String {
        let columns = Row.columns.filter { !$0.isDetail }
        let titles = columns.map { $0.title.uppercased() }
        return rows.isEmpty ? "(none)" : aligned([titles] + rows.map { row in columns.map { $0.text(row) } })
    }
}

/// One row alone, with a line for each of its columns.
struct Card<Row: Tabular> {
    let row: Row

    var text: String { aligned(Row.columns.map { [$0.title, $0.text(row)] }) }
}

/// Lines whose cells begin below each other.
private func aligned(_ lines: [[String]]) -> String {
    let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
        let cells = zip(line, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
        return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
}
