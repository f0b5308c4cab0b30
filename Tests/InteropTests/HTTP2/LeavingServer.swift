import Errand
import TestSupport

/// A server that speaks only as much of HTTP/2 as it needs to stop responding: it responds to the first requests of
/// each connection, and to none of those that follow.
///
/// The body of a response is the number of requests that the server has received.
struct LeavingServer: Sendable {
    private let process: ServerProcess
    private let port: UInt16

    /// The server's behavior instead of a response.
    enum Ending: String, Sendable {
        /// It closes the connection with a GOAWAY, which refuses the request (RFC 9113, section 6.8).
        case goAway
        /// It closes the connection without a GOAWAY.
        case close
        /// It closes the connection inside a response.
        case closeInBody
        /// It resets the stream, and keeps the connection.
        case reset
    }

    /// - Parameter responses: The number of requests of each connection that receive a response.
    init(_ certificate: Certificate, responses: Int, _ ending: Ending) async throws {
        (process, port) = try await ServerProcess.onFreePort(.python3, readyWhen: "ready") { port in
            [
                "-u", "-c", Self.program, "\(port)", "\(responses)", ending.rawValue, certificate.certificateFile,
                certificate.keyFile,
            ]
        }
    }

    /// - Throws: `URLError` if the path is not valid in a URL.
    func url() throws -> URL { try URL.of("https://localhost:\(port)/") }

    private static let program = """
        import itertools, socket, ssl, sys, threading
        port, responses, ending, certificate, key = int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:]
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        context.set_alpn_protocols(["h2"])
        seen = itertools.count(1)
        DATA, HEADERS, RST_STREAM, SETTINGS, GOAWAY = 0, 1, 3, 4, 7
        END_STREAM, END_HEADERS, ACK = 1, 4, 1

        def serve(plain):
            connection = context.wrap_socket(plain, server_side=True)
            source = connection.makefile("rb")
            def frame(kind, flags, stream, content=b""):
                connection.sendall(len(content).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + content)
            source.read(24)
            frame(SETTINGS, 0, 0)
            last, count = 0, 0
            while len(head := source.read(9)) == 9:
                kind, flags, stream = head[3], head[4], int.from_bytes(head[5:], "big")
                source.read(int.from_bytes(head[:3], "big"))
                if kind == SETTINGS and not flags & ACK:
                    frame(SETTINGS, ACK, 0)
                if kind not in (HEADERS, DATA) or not flags & END_STREAM:
                    continue
                number = next(seen)
                if count == responses:
                    if ending == "reset":
                        frame(RST_STREAM, 0, stream, bytes([0, 0, 0, 2]))
                        continue
                    if ending == "goAway":
                        frame(GOAWAY, 0, 0, last.to_bytes(4, "big") + bytes(4))
                    if ending == "closeInBody":
                        frame(HEADERS, END_HEADERS, stream, bytes([0x88]))
                        frame(DATA, 0, stream, b"half")
                    break
                last, count = stream, count + 1
                frame(HEADERS, END_HEADERS, stream, bytes([0x88]))
                frame(DATA, END_STREAM, stream, b"%d" % number)
            connection.unwrap()

        listener = socket.create_server(("127.0.0.1", port))
        print("ready", flush=True)
        while True:
            threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
        """
}
