import ErrandOpenAPIRuntime
import Testing

@Suite struct CalendarDateTests {
    @Test(arguments: ["2026-11-26", "2024-02-29", "0001-01-01"])
    func `a date is written as it was read`(_ text: String) {
        #expect(CalendarDate(text)?.description == text)
    }

    @Test(arguments: ["2026-02-29", "2026-13-01", "2026-1-1", "2026-11-26T00:00:00Z", "", "2026-11-2x"])
    func `a text that is not a date is rejected`(_ text: String) {
        #expect(CalendarDate(text) == nil)
    }
}
