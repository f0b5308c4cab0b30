import Errand

/// httpbin, served by gunicorn, which keeps connections open and supports bodies of unknown length; the server that
/// comes with httpbin does not.
///
/// It listens on two ports, which are two origins of one server.
struct HTTPBin: Sendable {
    /// The URL of the server.
    let url: URL
    /// Another URL of the server, which is a different origin for a client.
    let otherURL: URL
    private let process: ServerProcess

    init() async throws {
        process = try await ServerProcess(.httpbin, ["-u", "-c", Self.program], readyWhen: "httpbin at ")
        // httpbin at http://127.0.0.1:34567 http://127.0.0.1:34568
        let urls = process.readyLine.split(separator: " ").dropFirst(2).compactMap { URL(string: String($0)) }
        guard urls.count == 2 else { throw ServerProcess.NotReady(output: process.readyLine) }
        url = urls[0]
        otherURL = urls[1]
    }

    /// Ends the server; its worker ends a moment after that.
    func stop() { process.stop() }

    /// Master and worker both end with the process that started them, whatever they are doing. Settings that this
    /// gunicorn does not know are omitted.
    private static let program = """
        import os, threading, time
        from gunicorn.app.base import BaseApplication

        def end_with_parent():
            parent = os.getppid()
            def watch():
                while os.getppid() == parent:
                    time.sleep(0.1)
                os._exit(0)
            threading.Thread(target=watch, daemon=True).start()

        def worker_is_ready(worker):
            end_with_parent()
            print("httpbin at", *worker.sockets, flush=True)

        settings = {
            "bind": ["127.0.0.1:0", "127.0.0.1:0"],
            "worker_class": "gthread",
            "threads": 64,
            "keepalive": 30,
            "control_socket_disable": True,
            "when_ready": lambda server: end_with_parent(),
            "post_worker_init": worker_is_ready,
        }

        class Server(BaseApplication):
            def load_config(self):
                for name, value in settings.items():
                    if name in self.cfg.settings:
                        self.cfg.set(name, value)

            def load(self):
                from httpbin import app
                return app

        Server().run()
        """
}
