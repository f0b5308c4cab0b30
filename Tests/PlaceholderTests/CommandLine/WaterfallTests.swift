import Errand
import Testing

@testable import placeholder

struct `A waterfall` {
    @Test func `a waterfall draws each phase of a transfer to scale`() {
        var metrics = TransferMetrics()
        metrics.queueing = .zero
        metrics.connect = .milliseconds(10)
        metrics.firstByte = .milliseconds(30)
        metrics.total = .milliseconds(40)
        metrics.bytesSent = 5
        metrics.bytesReceived = 7
        metrics.isConnectionReused = false
        metrics.protocolName = "h2"
        metrics.remoteAddress = "127.0.0.1:80"
        let lines = Waterfall(metrics: metrics, width: 8).lines
        #expect(
            lines == [
                "  wait     ▏             0.0 ms",
                "  connect  ██           10.0 ms",
                "  server     ████       20.0 ms",
                "  receive        ██     10.0 ms",
                "  new connection, h2, 127.0.0.1:80, 5 bytes out, 7 in",
            ])
    }

    @Test func `a waterfall without phases shows only the total`() {
        var metrics = TransferMetrics()
        metrics.total = .milliseconds(2)
        #expect(
            Waterfall(metrics: metrics, width: 4).lines == ["  receive  ████      2.0 ms", "  0 bytes out, 0 in"])
    }
}
