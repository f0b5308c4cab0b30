import Testing

@testable import placeholder

private struct Boat: Tabular {
    var seats: Int
    var name: String
    var harbour: String
    var story = "none"

    static var columns: [Column<Boat>] {
        [
            Column("seats", \.seats), Column("name", \.name), Column("harbour", \.harbour),
            Column("story", isDetail: true, \.story),
        ]
    }
}

struct `A table` {
    private let boats = [
        Boat(seats: 5, name: "Sørvåg", harbour: "Ellery"), Boat(seats: 120, name: "Hà", harbour: "Skerry Point"),
    ]

    @Test func `a table aligns columns by characters`() {
        let expected = """
            SEATS  NAME    HARBOUR
            5      Sørvåg  Ellery
            120    Hà      Skerry Point
            """
        #expect(Table(rows: boats).text == expected)
    }

    @Test func `an empty table is shown as none`() {
        #expect(Table<Boat>(rows: []).text == "(none)")
    }

    @Test func `a table removes line breaks and control characters from its cells`() {
        let boat = Boat(seats: 1, name: "A\r\nB\u{1B}[2JC", harbour: "D\tE\u{2028}F")
        #expect(Table(rows: [boat]).text == "SEATS  NAME       HARBOUR\n1      A  B [2JC  D E F")
    }
}

struct `A card` {
    @Test func `a card has a line for each column`() {
        let boat = Boat(seats: 5, name: "", harbour: "Ellery", story: String(repeating: "la", count: 80))
        let expected = """
            seats    5
            name
            harbour  Ellery
            story    \(boat.story)
            """
        #expect(Card(row: boat).text == expected)
    }
}
