import Errand

/// An nginx with one server, in one process; the field `X-Connection` of a response is the number of its connection.
struct Nginx: Sendable {
    let directory: TemporaryDirectory
    let port: UInt16
    private let process: ServerProcess
    /// The scheme and host of its URL.
    private let origin: String

    /// - Parameters:
    ///   - host: The address it listens on, as URLs write it.
    ///   - certificate: The certificate for TLS and HTTP/2; plain HTTP/1.1 without it.
    ///   - body: The settings in its `server` block.
    init(
        host: String = "127.0.0.1", certificate: Certificate? = nil,
        directory: TemporaryDirectory? = nil, _ body: String
    ) async throws {
        let directory = try directory ?? TemporaryDirectory()
        self.directory = directory
        (process, port) = try await ServerProcess.onFreePort(.nginx, readyWhen: "getrlimit") { port in
            var server = body
            if let certificate {
                server += """
                    listen \(host):\(port) ssl http2;
                    ssl_certificate \(certificate.certificateFile);
                    ssl_certificate_key \(certificate.keyFile);
                    """
            } else {
                server += "listen \(host):\(port);"
            }
            return Self.arguments(
                try directory.write(Self.configuration(server, in: directory), to: "nginx.conf"), directory)
        }
        origin = (certificate == nil ? "http://" : "https://") + host
    }

    /// - Throws: `URLError` if the path is not valid in a URL.
    func url(_ path: String = "/") throws -> URL { try URL.of("\(origin):\(port)\(path)") }

    private static func arguments(_ file: String, _ directory: TemporaryDirectory) -> [String] {
        ["-e", "stderr", "-p", directory.url.path, "-c", file]
    }

    private static func configuration(_ server: String, in directory: TemporaryDirectory) -> Data {
        let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(directory.path($0));" }.joined(separator: "\n")
        let text = """
            daemon off;
            master_process off;
            pid \(directory.path("pid"));
            error_log stderr notice;
            events { worker_connections 512; }
            http {
                access_log off;
                default_type text/plain;
                \(paths)
                server {
                    add_header X-Connection $connection always;
                    \(server)
                }
            }
            """
        return Data(text.utf8)
    }
}
