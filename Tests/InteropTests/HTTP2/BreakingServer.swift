import Errand
import TestSupport

/// A server that speaks HTTP/2 until it has begun to respond, and then sends a frame that is a protocol error. The
/// connection stays open: the client has to detect the error.
struct BreakingServer: Sendable {
    private let process: ServerProcess
    private let port: UInt16

    /// The fault, which a client must treat as a connection error (RFC 9113, section 5.4.1).
    enum Fault: String, CaseIterable, Sendable {
        case frameTooLarge, dataOnStream0, dataOnIdleStream, headersOnStream0, brokenHeaderCompression
        case settingsOfOddLength, settingsOnStream, acknowledgedSettingsWithContent, settingsOfInvalidValue
        case pingOfWrongLength, pingOnStream
        case windowOverflow, windowUpdateOfZero, windowUpdateOfWrongLength
        case pushPromise, loneContinuation, interruptedHeaders
        case resetOfIdleStream, resetOfWrongLength
        case goAwayTooShort
    }

    /// - Parameters:
    ///   - streams: The number of requests on one connection that the server waits for before it responds. If it is
    ///     more than one, the server first responds to a single request, so that the others use the same connection.
    ///   - fault: The fault that follows; `nil` ends the connection with a GOAWAY before the last frame of each body.
    init(_ certificate: Certificate, streams: Int = 1, _ fault: Fault?) async throws {
        (process, port) = try await ServerProcess.onFreePort(.python3, readyWhen: "ready") { port in
            [
                "-u", "-c", Self.program, "\(port)", "\(streams)", fault?.rawValue ?? "ending",
                certificate.certificateFile, certificate.keyFile,
            ]
        }
    }

    /// - Throws: `URLError` if the path is not valid in a URL.
    func url() throws -> URL { try URL.of("https://localhost:\(port)/") }

    private static let program = """
        import socket, ssl, sys, threading
        port, streams, fault, certificate, key = int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:]
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        context.set_alpn_protocols(["h2"])
        DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
        END_STREAM, END_HEADERS, ACK = 1, 4, 1

        def serve(plain):
            connection = context.wrap_socket(plain, server_side=True)
            source = connection.makefile("rb")
            def frame(kind, flags, stream, content=b""):
                connection.sendall(len(content).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + content)
            source.read(24)
            frame(SETTINGS, 0, 0)
            pending = []
            while len(head := source.read(9)) == 9:
                kind, flags, stream = head[3], head[4], int.from_bytes(head[5:], "big")
                source.read(int.from_bytes(head[:3], "big"))
                if kind == SETTINGS and not flags & ACK:
                    frame(SETTINGS, ACK, 0)
                if kind not in (HEADERS, DATA) or not flags & END_STREAM:
                    continue
                if streams > 1 and stream == 1:
                    frame(HEADERS, END_HEADERS | END_STREAM, stream, bytes([0x88]))
                    continue
                pending.append(stream)
                if len(pending) < streams:
                    continue
                for stream in pending:
                    frame(HEADERS, END_HEADERS, stream, bytes([0x88]))
                    frame(DATA, 0, stream, b"half")
                # The client has received all frames when it acknowledges this one.
                frame(PING, 0, 0, b"ask back")
                while (head := source.read(9)) and not (head[3] == PING and head[4] & ACK):
                    source.read(int.from_bytes(head[:3], "big"))
                source.read(8)
                first = pending[0]
                if fault == "ending":
                    frame(GOAWAY, 0, 0, max(pending).to_bytes(4, "big") + bytes(4))
                    for stream in pending:
                        frame(DATA, END_STREAM, stream, b" and half")
                    connection.unwrap()
                    return
                {
                    "frameTooLarge": lambda: frame(DATA, 0, first, bytes(20000)),
                    "dataOnStream0": lambda: frame(DATA, 0, 0, b"x"),
                    "dataOnIdleStream": lambda: frame(DATA, 0, 1001, b"x"),
                    "headersOnStream0": lambda: frame(HEADERS, END_HEADERS, 0, bytes([0x88])),
                    "brokenHeaderCompression": lambda: frame(HEADERS, END_HEADERS | END_STREAM, first, bytes([0x80])),
                    "settingsOfOddLength": lambda: frame(SETTINGS, 0, 0, bytes(5)),
                    "settingsOnStream": lambda: frame(SETTINGS, 0, first, bytes(6)),
                    "acknowledgedSettingsWithContent": lambda: frame(SETTINGS, ACK, 0, bytes(6)),
                    "settingsOfInvalidValue": lambda: frame(SETTINGS, 0, 0, bytes([0, 4, 255, 255, 255, 255])),
                    "pingOfWrongLength": lambda: frame(PING, 0, 0, bytes(7)),
                    "pingOnStream": lambda: frame(PING, 0, first, bytes(8)),
                    "windowOverflow": lambda: frame(WINDOW_UPDATE, 0, 0, bytes([127, 255, 255, 255])),
                    "windowUpdateOfZero": lambda: frame(WINDOW_UPDATE, 0, 0, bytes(4)),
                    "windowUpdateOfWrongLength": lambda: frame(WINDOW_UPDATE, 0, 0, bytes(3)),
                    "pushPromise": lambda: frame(PUSH_PROMISE, END_HEADERS, first, bytes([0, 0, 0, 2, 0x88])),
                    "loneContinuation": lambda: frame(CONTINUATION, END_HEADERS, first, bytes([0x88])),
                    "interruptedHeaders": lambda: (frame(HEADERS, 0, first, b""), frame(PING, 0, 0, bytes(8))),
                    "resetOfIdleStream": lambda: frame(RST_STREAM, 0, 1001, bytes(4)),
                    "resetOfWrongLength": lambda: frame(RST_STREAM, 0, first, bytes(3)),
                    "goAwayTooShort": lambda: frame(GOAWAY, 0, 0, bytes(7)),
                }[fault]()

        listener = socket.create_server(("127.0.0.1", port))
        print("ready", flush=True)
        while True:
            threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
        """
}
