import Errand

/// `openssl s_server`, which responds to any GET with a page about the session.
struct TLSServer: Sendable {
    let port: UInt16
    private let process: ServerProcess

    /// - Parameter options: More arguments of `openssl s_server`.
    init(_ certificate: Certificate, _ options: [String] = []) async throws {
        process = try await ServerProcess(
            .openssl,
            ["s_server", "-accept", "127.0.0.1:0", "-www"]
                + ["-cert", certificate.certificateFile, "-key", certificate.keyFile] + options,
            readyWhen: "ACCEPT ")
        guard let port = process.readyLine.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw ServerProcess.NotReady(output: process.readyLine)
        }
        self.port = port
    }

    /// - Throws: `URLError` if the host is not valid in a URL.
    func url(host: String = "localhost") throws -> URL { try URL.of("https://\(host):\(port)/") }
}
