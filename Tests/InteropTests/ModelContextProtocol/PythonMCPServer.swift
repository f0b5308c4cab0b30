import Errand
import TestSupport

/// A server of the Model Context Protocol, built with the reference implementation for Python.
///
/// `/mcp` responds with events, which it keeps for resumption, and `/json` with JSON. A second port leads to the same
/// server, through a proxy that cuts the connection of a POST after the second progress notification.
///
/// All tests share one server, which ends after them. Each test has its own sessions.
struct PythonMCPServer: Sendable {
    /// The URL of the server.
    let url: URL
    /// The URL of the proxy.
    let cuttingURL: URL
    private let process: ServerProcess

    static let shared = Task { try await PythonMCPServer() }

    private init() async throws {
        let (process, port) = try await ServerProcess.onFreePort(.mcp, readyWhen: "ready, proxy at ") { port in
            ["-u", "-c", Self.program, "\(port)"]
        }
        url = try URL.of("http://127.0.0.1:\(port)")
        cuttingURL = try URL.of("http://127.0.0.1:\(process.readyLine.split(separator: " ").last ?? "")")
        self.process = process
    }

    /// The server ends with the process that started it.
    private static let program = """
        import asyncio, contextlib, os, sys, threading, time
        import uvicorn
        from mcp.server.mcpserver import Context, MCPServer
        from mcp.server.streamable_http import EventMessage, EventStore
        from pydantic import BaseModel

        port = int(sys.argv[1])

        class Events(EventStore):
            def __init__(self):
                self.stored = []

            async def store_event(self, stream, message):
                self.stored.append((stream, message))
                return str(len(self.stored))

            async def replay_events_after(self, last, send):
                stream = self.stored[int(last) - 1][0]
                for id, (other, message) in enumerate(self.stored, 1):
                    if id > int(last) and other == stream and message is not None:
                        await send(EventMessage(message, str(id)))
                return stream

        class Title(BaseModel):
            title: str

        server = MCPServer("library", instructions="Ask for books.")
        cancelled = asyncio.Event()

        @server.tool()
        def add(a: int, b: int) -> int:
            return a + b

        @server.tool()
        async def read(pages: int, ctx: Context, pauses: bool = False) -> str:
            for page in range(1, pages + 1):
                await ctx.report_progress(page, pages)
                if pauses and page == 1:
                    await ctx.close_sse_stream()
            return f"{pages} pages"

        @server.tool()
        async def ask(ctx: Context) -> str:
            found = await ctx.elicit("Which book?", Title)
            return found.data.title if found.action == "accept" else found.action

        @server.tool()
        async def wait(ctx: Context) -> str:
            await ctx.report_progress(1)
            try:
                await asyncio.Event().wait()
            finally:
                cancelled.set()

        @server.tool()
        async def wait_for_cancellation() -> str:
            await cancelled.wait()
            return "cancelled"

        @server.tool()
        async def change_tools(ctx: Context) -> str:
            await ctx.session.send_tool_list_changed()
            return "changed"

        async def relay(client, to_client):
            server, to_server = await asyncio.open_connection("127.0.0.1", port)
            last = b""

            async def forward():
                nonlocal last
                while last := await client.read(65536):
                    to_server.write(last)

            forwarding = asyncio.create_task(forward())
            with contextlib.suppress(ConnectionError):
                while data := await server.read(65536):
                    to_client.write(data)
                    if b'"progress":2' in data and not last.startswith(b"GET"):
                        to_client.transport.abort()
            forwarding.cancel()
            to_server.close()
            to_client.close()

        app = server.streamable_http_app(event_store=Events(), retry_interval=20)
        manager = server.session_manager
        json = server.streamable_http_app(json_response=True, streamable_http_path="/json")
        app.router.routes += json.router.routes

        @contextlib.asynccontextmanager
        async def lifespan(app):
            async with manager.run(), server.session_manager.run():
                yield

        app.router.lifespan_context = lifespan

        class Server(uvicorn.Server):
            async def startup(self, sockets=None):
                await super().startup(sockets)
                proxy = await asyncio.start_server(relay, "127.0.0.1", 0)
                print("ready, proxy at", proxy.sockets[0].getsockname()[1], flush=True)

        def end_with_parent(parent=os.getppid()):
            while os.getppid() == parent:
                time.sleep(0.2)
            os._exit(0)

        threading.Thread(target=end_with_parent, daemon=True).start()
        Server(uvicorn.Config(app, port=port, log_level="warning")).run()
        """
}
