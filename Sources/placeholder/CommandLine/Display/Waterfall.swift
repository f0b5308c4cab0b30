import Errand

/// Draws the phases of a transfer: a bar for each phase, one below the other.
///
/// ```
///   wait     ▏                                         0.0 ms
///   connect  ██▏                                       0.2 ms
///   server     ██████████████████████                  2.1 ms
///   receive                          ███               0.3 ms
/// ```
struct Waterfall {
    let metrics: TransferMetrics
    /// The maximum width of a bar in columns.
    var width = 40

    private struct Phase {
        let name: String
        let start: Duration
        let end: Duration
    }

    var lines: [String] {
        phases.map { phase in
            let start = column(of: phase.start)
            let length = max(column(of: phase.end) - start, 0)
            let bar = String(repeating: " ", count: start) + (length == 0 ? "▏" : String(repeating: "█", count: length))
            let time = String(format: "%8.1f ms", (phase.end - phase.start) / .milliseconds(1))
            return "  \(phase.name.padded(to: 8)) \(bar.padded(to: width + 1))\(time)"
        } + [summary]
    }

    /// Phases that did not happen, or that the transport does not report, are left out.
    private var phases: [Phase] {
        let moments: [(String, Duration?)] = [
            ("wait", metrics.queueing), ("lookup", metrics.nameLookup), ("connect", metrics.connect),
            ("tls", metrics.secureConnect), ("server", metrics.firstByte), ("receive", metrics.total),
        ]
        var phases: [Phase] = []
        var start = Duration.zero
        for (name, moment) in moments {
            guard let end = moment, end >= start else { continue }
            phases.append(Phase(name: name, start: start, end: end))
            start = end
        }
        return phases
    }

    private var summary: String {
        let connection = metrics.isConnectionReused.map { $0 ? "connection reused" : "new connection" }
        let bytes = "\(metrics.bytesSent) bytes out, \(metrics.bytesReceived) in"
        let redirects = metrics.redirects == 0 ? nil : "\(metrics.redirects) redirects"
        let facts = [connection, metrics.protocolName, metrics.remoteAddress, bytes, redirects]
        return "  " + facts.compactMap(\.self).joined(separator: ", ")
    }

    private func column(of moment: Duration) -> Int {
        metrics.total > .zero ? min(Int((moment / metrics.total * Double(width)).rounded()), width) : 0
    }
}

extension String {
    fileprivate func padded(to count: Int) -> String {
        self + String(repeating: " ", count: max(count - self.count, 0))
    }
}
