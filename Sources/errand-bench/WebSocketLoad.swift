import Errand
import ErrandWebSocket

/// Small text messages over one WebSocket, each sent after the server has returned the one before it.
enum WebSocketLoad {
    private final class Echo: APIBase, WebSocketRequest {
        init(_ url: URL) {
            super.init()
            baseURL = url
        }

        func startWebSocket() -> WebSocket<String, String> {
            var options = WebSocketOptions()
            options.compression = nil
            return webSocket(.text, options: options)
        }
    }

    /// - Returns: The bytes of all returned messages.
    static func run(_ url: URL, count: Int, executor: Job.Executor) async throws -> Int {
        try await withTaskExecutorPreference(executor.preference) {
            let socket = Echo(url).startWebSocket()
            var bytes = 0
            var left = count
            try await socket.send("hello, echo")
            for try await message in socket {
                bytes += try message.get().utf8.count
                left -= 1
                if left == 0 { break }
                try await socket.send("hello, echo")
            }
            _ = try await socket.close()
            return bytes
        }
    }
}
