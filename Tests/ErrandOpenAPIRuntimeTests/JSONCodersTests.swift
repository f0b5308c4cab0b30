import ErrandOpenAPIRuntime
import Foundation
import Testing

@Suite struct JSONCodersTests {
    @Test func `a header field is read as the type that the document says`() {
        let fields: HeaderFields = [
            "Left": "12", "Ratio": "0.5", "Late": "true", "Name": "12", "Day": "2026-11-30", "Quoted": #"a "b" \"#,
            "At": "2026-11-30T09:00:00Z", "Broken": "12 calls",
        ]
        #expect(fields.value(of: "left") == 12)
        #expect(fields.value(of: "Ratio") == 0.5)
        #expect(fields.value(of: "Late") == true)
        #expect(fields.value(of: "Name") == "12")
        #expect(fields.value(of: "Quoted") == #"a "b" \"#)
        #expect(fields.value(of: "Day") == CalendarDate("2026-11-30"))
        #expect(fields.value(of: "At") == Date(timeIntervalSince1970: 1_796_029_200))
        #expect(fields.value(of: "Broken", as: Int.self) == nil)
        #expect(fields.value(of: "Missing", as: String.self) == nil)
    }

    private func text(_ date: Date) throws -> String {
        try FastJSONDecoder().decode(String.self, from: FastJSONEncoder.openAPI.encode(date))
    }

    private func date(_ text: String) throws -> Date {
        try FastJSONDecoder.openAPI.decode(Date.self, from: FastJSONEncoder().encode(text))
    }

    @Test(arguments: ["2026-11-26T03:40:42", "1969-12-31T23:59:59", "0001-01-01T00:00:00", "9999-12-31T23:59:59"])
    func `every millisecond is written as it was read`(_ second: String) throws {
        for millisecond in 1..<1_000 {
            let text = "\(second).\(String(1_000 + millisecond).dropFirst())Z"
            #expect(try self.text(date(text)) == text)
        }
        #expect(try text(date("\(second)Z")) == "\(second)Z")
    }

    @Test func `days of all years with four digits are written as they were read`() throws {
        for day in stride(from: -719_162, to: 2_932_897, by: 211) {
            let noon = Date(timeIntervalSince1970: Double(day) * 86_400 + 43_200)
            #expect(try date(text(noon)) == noon)
        }
        #expect(try text(Date(timeIntervalSince1970: -62_135_596_800)) == "0001-01-01T00:00:00Z")
        #expect(try text(Date(timeIntervalSince1970: 253_402_300_799)) == "9999-12-31T23:59:59Z")
    }

    @Test func `a date is rounded to milliseconds and written in UTC`() throws {
        #expect(try text(date("2020-01-22T12:13:35.123-08:00")) == "2020-01-22T20:13:35.123Z")
        #expect(try text(date("2026-11-26T03:40:42.99951Z")) == "2026-11-26T03:40:43Z")
        #expect(try text(date("2026-11-26T03:40:42.0004Z")) == "2026-11-26T03:40:42Z")
    }

    @Test(arguments: ["2026-11-26T03:40:42", "2026-11-26T03:40:42.125", "2026-11-26", "2026-11-26T24:00:00Z", ""])
    func `an error says what a date needs, such as the offset`(_ text: String) {
        let error = #expect(throws: DecodingError.self) { try date(text) }
        #expect(error.map { "\($0)".contains("a date and time with an offset, such as 2026-11-26T03:40:42Z") } == true)
    }

    @Test(arguments: [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: 1e14)])
    func `a date far away has a text`(_ date: Date) throws {
        #expect(try !text(date).isEmpty)
    }
}
