import TestSupport
import Testing

@testable import Errand
@testable import placeholder

struct `The progress of a transfer` {
    @Test(arguments: [(55, "bo ok  50%\n"), (300, "bo ok  100%\n"), (-7, ""), (.max, "bo ok  100%\n"), (.min, "")])
    func `is printed safely, whatever a server sends`(_ completed: Int64, _ text: String) async throws {
        let written = Recorder<String>()
        let request = UploadFileRequest(name: "x", file: URL(fileURLWithPath: "/x"))
        let progress = request.uploadProgress
        progress.update(.init(completed: completed, total: 100))
        progress.end()
        try await TransferLog(name: "bo\u{1b}ok", output: Output(write: written.record)).show(progress) {}
        #expect(written.elements.joined() == text)
    }
}
