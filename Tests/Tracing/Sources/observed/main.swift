import Errand
import Foundation
import Hummingbird

// A server that calls itself, and shows what it has called as its metrics. It prints its port when it is ready.

private let summary = ExchangeSummary()

@Sendable private func call(_ port: Int) async {
    let service = APIService(baseURL: BaseURL("127.0.0.1:\(port)"), observers: [summary])
    for id in 1...20 { _ = try? await service.send(.get("/books/\(id, as: "id")")).value }
    for _ in 1...3 { _ = try? await service.send(.get("/\"quoted\\\n\"")).value }
    FileHandle.standardOutput.write(Data("\(port)\n".utf8))
}

private let router = Router()
router.get("/books/:id") { _, context in
    context.parameters.get("id") == "13" ? Response(status: .serviceUnavailable) : Response(status: .ok)
}
router.get("/metrics") { _, _ in
    Response(
        status: .ok, headers: [.contentType: "text/plain; version=0.0.4"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: summary.prometheusText)))
}
private let application = Application(
    router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
    onServerRunning: { channel in
        let port = channel.localAddress?.port ?? 0
        Task { await call(port) }
    })
try await application.runService()
