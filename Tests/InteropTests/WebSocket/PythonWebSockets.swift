import Errand
import ErrandWebSocketTesting

/// The peer of a WebSocket, implemented with Python's `websockets`.
enum PythonWebSockets {
    /// Starts a server whose paths select what is tested.
    ///
    /// - Parameter certificate: The certificate for TLS; `nil` for plain TCP.
    static func server(
        _ certificate: Certificate? = nil, isCompressing: Bool = true
    ) async throws -> (server: ServerProcess, port: UInt16) {
        try await ServerProcess.onFreePort(.websockets, readyWhen: "ready") { port in
            ["-u", "-c", server, "\(port)", isCompressing ? "deflate" : "none"]
                + (certificate.map { [$0.certificateFile, $0.keyFile] } ?? [])
        }
    }

    /// Runs a client that exchanges messages with an echo server, until it reports success.
    static func client(_ url: URL, isCompressing: Bool) async throws -> ServerProcess {
        try await ServerProcess(
            .websockets, ["-u", "-c", client, url.absoluteString, isCompressing ? "deflate" : "none"],
            readyWhen: "all is well")
    }

    private static let server = """
        import asyncio, ssl, sys
        from websockets.asyncio.server import serve

        async def handle(ws):
            tls = ws.transport.get_extra_info("ssl_object")
            if tls and tls.selected_alpn_protocol() == "h2":
                await ws.close(1002, "another server would expect HTTP/2")
                return
            path = ws.request.path
            if path == "/fragments":
                text = await ws.recv()
                await ws.send([text[i:i + 7] for i in range(0, len(text), 7)])
            elif path == "/ping":
                await (await ws.ping())
                await ws.send("ponged")
            elif path == "/close":
                await ws.close(4001, "enough")
                return
            elif path == "/big":
                await ws.send(bytes(3_000_000))
            elif path == "/about":
                await ws.send(ws.subprotocol or "none")
                await ws.send(",".join(e.name for e in ws.protocol.extensions) or "plain")
                await ws.send(ws.request.headers.get("Accept-Language", ""))
            elif path == "/closed":
                try:
                    await ws.recv()
                except Exception:
                    pass
                print("closed with", ws.close_code, ws.close_reason, flush=True)
                return
            async for message in ws:
                await ws.send(message)

        async def main():
            port, compression, files = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
            context = None
            if files:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(files[0], files[1])
                context.set_alpn_protocols(["h2", "http/1.1"])
            async with serve(
                handle, "127.0.0.1", port, ssl=context, max_size=None,
                select_subprotocol=lambda ws, offered: next((p for p in ["v2", "v1"] if p in offered), None),
                compression="deflate" if compression == "deflate" else None,
            ) as server:
                print("ready", flush=True)
                await server.serve_forever()

        asyncio.run(main())
        """

    private static let client = """
        import asyncio, sys
        from websockets.asyncio.client import connect

        async def main():
            url, compression = sys.argv[1:]
            async with connect(
                url, proxy=None, subprotocols=["v9", "v2"], max_size=None, open_timeout=60,
                compression="deflate" if compression == "deflate" else None,
            ) as ws:
                assert ws.subprotocol == "v2"
                names = [e.name for e in ws.protocol.extensions]
                assert names == (["permessage-deflate"] if compression == "deflate" else []), names
                messages = ["", "grüß Gott", "x" * 300_000, b"", bytes(range(256)) * 5000]
                for message in messages + messages:
                    await ws.send(message)
                    assert await ws.recv() == message
                await ws.send(["in ", "frag", "", "ments"])
                assert await ws.recv() == "in fragments"
                await (await ws.ping(b"hello"))
                await ws.close(4002, "bye")
                assert (ws.close_code, ws.close_reason) == (4002, "bye"), (ws.close_code, ws.close_reason)
            async with connect(url + "/close", proxy=None, open_timeout=60) as ws:
                try:
                    await ws.recv()
                except Exception:
                    pass
                assert (ws.close_code, ws.close_reason) == (4003, "go away"), (ws.close_code, ws.close_reason)
            print("all is well", flush=True)

        asyncio.run(main())
        """
}
