import Errand

/// The progress of a transfer as a line of text.
struct TransferBar {
    let name: String
    let width: Int

    /// `numbers.txt  [#####.....]  50%  1.2 MB/s  0:12 left`, with the parts that are known and fit.
    func text(_ now: TransferProgress.Measurement) -> String {
        let rate = now.throughput.map { "\($0.byteText)/s" }
        let time = now.estimatedTimeRemaining.map { "\($0.clockText) left" }
        guard let fraction = now.snapshot.fractionCompleted else {
            return [name, Double(now.snapshot.completed).byteText, rate].compactMap(\.self).joined(separator: "  ")
        }
        let fraction01 = min(max(fraction, 0), 1)
        let rest = ["\(Int(fraction01 * 100))%", rate, time].compactMap(\.self).joined(separator: "  ")
        let room = min(width - name.count - rest.count - 6, 40)
        guard room >= 5 else { return "\(name)  \(rest)" }
        let full = Int(fraction01 * Double(room))
        let bar = String(repeating: "#", count: full) + String(repeating: ".", count: room - full)
        return "\(name)  [\(bar)]  \(rest)"
    }
}

/// Shows the progress of a transfer: in one line on a terminal, otherwise in a line for each tenth.
final class TransferDisplay: Sendable {
    private let bar: TransferBar
    private let output: Output
    private let state = Locked((tenths: 0, length: 0))

    init(name: String, output: Output, width: Int) {
        // One column stays free, because a full line makes the terminal start a new one.
        bar = TransferBar(name: name.onOneLine, width: width - 1)
        self.output = output
    }

    /// Shows each measurement until the transfer ends.
    func show(_ progress: some AsyncSequence<TransferProgress.Measurement, Never>) async {
        for await now in progress { show(now) }
        if output.isTerminal, state.withLock({ $0.length > 0 }) { output.line() }
    }

    private func show(_ now: TransferProgress.Measurement) {
        let text = bar.text(now)
        if output.isTerminal {
            let earlier = state.withLock { state in
                defer { state.length = text.count }
                return state.length
            }
            output.text("\r" + text + String(repeating: " ", count: max(0, earlier - text.count)))
        } else if let fraction = now.snapshot.fractionCompleted {
            let tenths = Int(min(max(fraction, 0), 1) * 10)
            let isNew = state.withLock { state in
                defer { state.tenths = max(state.tenths, tenths) }
                return tenths > state.tenths
            }
            if isNew { output.line(text) }
        }
    }
}

extension Double {
    /// `950 B`, `12.3 kB`, `4.5 GB`.
    var byteText: String {
        var value = isFinite ? Swift.max(self, 0) : 0
        var units = ["B", "kB", "MB", "GB", "TB"][...]
        while value >= 999.95, units.count > 1 {
            value /= 1_000
            units = units.dropFirst()
        }
        return String(format: units.first == "B" ? "%.0f %@" : "%.1f %@", value, units.first ?? "TB")
    }
}

extension Duration {
    /// `0:07`, `12:34`, `1:02:03`.
    var clockText: String {
        let seconds = Int(clamping: components.seconds)
        let (minutes, hours) = (seconds / 60 % 60, seconds / 3_600)
        return hours > 0
            ? String(format: "%d:%02d:%02d", hours, minutes, seconds % 60)
            : String(format: "%d:%02d", minutes, seconds % 60)
    }
}
