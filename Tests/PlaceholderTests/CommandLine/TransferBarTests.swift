import Errand
import TestSupport
import Testing

@testable import placeholder

struct `A progress bar` {
    private func text(
        _ completed: Int64, of total: Int64?, _ rate: Double? = nil, _ left: Duration? = nil, width: Int = 60
    )
        -> String
    {
        TransferBar(name: "book", width: width).text(
            TransferProgress.Measurement(
                snapshot: .init(completed: completed, total: total), throughput: rate, estimatedTimeRemaining: left))
    }

    @Test func `a transfer bar shows the known values`() {
        #expect(text(0, of: 10) == "book  [........................................]  0%")
        #expect(
            text(5, of: 10, 1_250_000, .seconds(12)) == "book  [#############.............]  50%  1.2 MB/s  0:12 left")
        #expect(text(10, of: 10) == "book  [########################################]  100%")
        #expect(text(12_345, of: nil, 950) == "book  12.3 kB  950 B/s")
    }

    @Test func `a transfer bar is omitted if there is no room`() {
        #expect(text(5, of: 10, 1, .seconds(3_723), width: 20) == "book  50%  1 B/s  1:02:03 left")
    }

    @Test(arguments: [Int64.min, -5, 50, Int64.max]) func `a transfer bar accepts invalid counts`(_ completed: Int64) {
        #expect(text(completed, of: 10).hasPrefix("book  ["))
        #expect(!text(completed, of: nil, .infinity).isEmpty)
    }

    @Test(arguments: [
        (0.0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (999_949, "999.9 kB"), (999_999, "1.0 MB"), (5e9, "5.0 GB"),
        (7e15, "7000.0 TB"), (-.infinity, "0 B"), (.nan, "0 B"),
    ])
    func `byte counts are formatted with units`(_ value: Double, _ text: String) {
        #expect(value.byteText == text)
    }

    private func shown(isTerminal: Bool) async throws -> String {
        let (written, first) = (Recorder<String>(), Gate())
        let output = Output(isTerminal: isTerminal) { text in
            written.record(text)
            first.open()
        }
        let display = TransferDisplay(name: "bo\u{1b}ok", output: output, width: 60)
        let request = UploadFileRequest(name: "x", file: URL(fileURLWithPath: "/x"))
        let progress = request.uploadProgress
        progress.update(.init(completed: 55, total: 100))
        let task = Task { await display.show(progress.measured()) }
        try await first.pass()
        // The request is released, and with it the transfer ends.
        task.cancel()
        await task.value
        return written.elements.joined()
    }

    @Test func `a transfer bar is overwritten on a terminal`() async throws {
        let text = try await shown(isTerminal: true)
        #expect(text.hasPrefix("\rbo ok  ["))
        #expect(text.hasSuffix("\n"))
    }

    @Test func `a transfer bar is written as lines without control characters elsewhere`() async throws {
        let text = try await shown(isTerminal: false)
        #expect(text.hasPrefix("bo ok  ["))
        #expect(text.lines.count == 2)
        #expect(!text.contains("\r"))
    }
}
