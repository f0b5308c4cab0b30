import Errand

/// Prints a line for each tenth of a transfer: `numbers.txt  50%`.
struct TransferLog: Sendable {
    let name: String
    let output: Output

    /// Shows the progress while a transfer runs.
    func show<Value>(_ progress: TransferProgress, during transfer: () async throws -> Value) async throws -> Value {
        let printing = Task { await print(progress) }
        do {
            let value = try await transfer()
            await printing.value
            return value
        } catch {
            // A transfer that did not start has no end either.
            printing.cancel()
            await printing.value
            throw error
        }
    }

    private func print(_ progress: TransferProgress) async {
        var printed = 0
        for await now in progress {
            // A server may send more than it has declared.
            let tenths = Int(min(max(now.fractionCompleted ?? 0, 0), 1) * 10)
            if tenths > printed { output.line("\(name.onOneLine)  \(tenths * 10)%") }
            printed = max(printed, tenths)
        }
    }
}
