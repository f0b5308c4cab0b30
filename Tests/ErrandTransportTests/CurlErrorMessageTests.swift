import Testing

@testable import Errand

/// The texts are those of libcurl 7.76 to 8.17 and OpenSSL 1.1 to 3.5.
struct `A text of libcurl` {
    private func reason(_ text: String, _ code: URLError.Code) -> String? {
        CurlErrorMessage(text).reason(for: code, host: "localhost")
    }

    @Test(arguments: [
        ("Failed to connect to localhost port 8080 after 0 ms: Couldn't connect to server", "localhost:8080"),
        ("Failed to connect to ::1 port 1 after 0 ms: Could not connect to server", "[::1]:1"),
        ("Failed to connect to 127.0.0.1 port 1: Connection refused", "127.0.0.1:1"),
        ("Failed to connect to  port 1", nil), ("Failed to connect", nil), ("", nil),
    ])
    func `the reason for a failed connection names the address`(_ text: String, _ address: String?) {
        #expect(CurlErrorMessage(text).address == address)
        #expect(reason(text, .cannotConnectToHost) == address.map { "could not connect to \($0)" })
    }

    @Test func `the reason for a failed lookup names the host or proxy`() {
        #expect(
            reason("Could not resolve host: a.invalid", .cannotFindHost)
                == "no address was found for the host name \"a.invalid\"")
        #expect(
            reason("Couldn't resolve proxy: p.invalid", .cannotFindHost)
                == "no address was found for the proxy \"p.invalid\"")
    }

    @Test(arguments: [
        "SSL: no alternative certificate subject name matches target host name 'localhost'",
        "SSL: certificate subject name 'a.example' does not match target host name 'localhost'",
        "SSL: no alternative certificate subject name matches target hostname 'localhost'",
    ])
    func `the reason distinguishes a wrong certificate name from an untrusted certificate`(_ text: String) {
        #expect(
            reason(text, .serverCertificateUntrusted)
                == "the server's certificate is not valid for the host name \"localhost\"")
        #expect(reason("SSL certificate problem: self-signed certificate", .serverCertificateUntrusted) == nil)
    }

    @Test(arguments: [
        ("OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number", "the server does not speak TLS"),
        ("TLS connect error: error:0A0000C6:SSL routines::packet length too long", "the server does not speak TLS"),
        (
            "OpenSSL/3.0.19: error:0A00042E:SSL routines::tlsv1 alert protocol version",
            "the server ended the TLS handshake with the alert \"protocol version\""
        ),
        (
            "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to 127.0.0.1:1 ",
            "the connection was lost in the TLS handshake"
        ),
        ("error:0A000126:SSL routines::unexpected eof while reading", "the connection was lost in the TLS handshake"),
        ("something else", nil),
    ])
    func `the reason for a failed TLS connection describes the cause`(_ text: String, _ reason: String?) {
        #expect(self.reason(text, .secureConnectionFailed) == reason)
    }
}

#if canImport(CCurl)
struct `A failure to connect` {
    @Test func `a connection failure is described by the system's error number`() {
        let socket = ("the socket at /run/x.sock", "/run/x.sock")
        #expect(
            CurlHandle.connectFailure(EACCES, address: socket.0, unixSocketPath: socket.1)
                == "no permission to connect to the socket at /run/x.sock")
        #expect(
            CurlHandle.connectFailure(ENOENT, address: socket.0, unixSocketPath: socket.1)
                == "there is no socket at /run/x.sock")
        #expect(
            CurlHandle.connectFailure(EHOSTUNREACH, address: "[::1]:80", unixSocketPath: nil)
                == "could not connect to [::1]:80: No route to host")
        #expect(CurlHandle.connectFailure(0, address: "a:80", unixSocketPath: nil) == "could not connect to a:80")
    }
}
#endif
