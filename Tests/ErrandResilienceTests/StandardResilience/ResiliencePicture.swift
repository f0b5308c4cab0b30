import Foundation
import Testing

/// The table and the picture of the guide to the standard resilience.
enum ResiliencePicture {
    private static let catalog = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Sources/ErrandResilience/ErrandResilience.docc").standardized

    /// Checks that the guide shows these runs. `ERRAND_RENEW_PICTURES=1` writes the picture, and prints the table.
    static func check(_ runs: [[SimulatedRun]]) throws {
        let table = runs.joined().map { $0.load.row("\($0.scenario), \($0.variant)") }
        let picture = svg(of: runs)
        let file = catalog.appendingPathComponent("Resources/standard-resilience.svg")
        if ProcessInfo.processInfo.environment["ERRAND_RENEW_PICTURES"] != nil {
            try Data(picture.utf8).write(to: file)
            FileHandle.standardError.write(Data((table.joined(separator: "\n") + "\n").utf8))
        }
        // The tests also run without the sources.
        guard
            let guide = try? String(
                contentsOf: catalog.appendingPathComponent("StandardResilience.md"), encoding: .utf8)
        else { return }
        for row in table { #expect(guide.contains(row + "\n")) }
        #expect(try String(contentsOf: file, encoding: .utf8) == picture, "run with ERRAND_RENEW_PICTURES=1")
    }

    /// Draws the share of the requests of each second that succeed: a line with a timeout and one with the list.
    private static func svg(of runs: [[SimulatedRun]]) -> String {
        let (left, width, height, gap) = (24, 12, 48, 42)
        var lines = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" width="648" height="\(runs.count * (height + gap) + 34)" \
            viewBox="0 0 648 \(runs.count * (height + gap) + 34)" role="img" aria-label="Successful requests in each \
            second of five disturbances, with a timeout and with the standard resilience">
              <style>
                text { font: 13px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328 }
                .note { font-size: 12px; fill: #59636e }
                .disturbed { fill: #fff4e6 }
                .without { stroke: #59636e; stroke-width: 1.5; fill: none; stroke-dasharray: 4 3 }
                .with { stroke: #d9480f; stroke-width: 2; fill: none }
                .axis { stroke: #8c959f; fill: none }
                @media (prefers-color-scheme: dark) {
                  text { fill: #e6edf3 }
                  .note { fill: #9198a1 }
                  .disturbed { fill: #331a0a }
                  .without { stroke: #9198a1 }
                  .with { stroke: #ff922b }
                  .axis { stroke: #6e7681 }
                }
              </style>
            """
        ]
        for (index, runs) in runs.enumerated() {
            let top = index * (height + gap) + 24
            lines.append("  <text x=\"\(left)\" y=\"\(top - 8)\">\(runs[0].scenario)</text>")
            lines.append(
                "  <rect class=\"disturbed\" x=\"\(left + 10 * width)\" y=\"\(top)\" width=\"\((runs[0].until - 10) * width)\" "
                    + "height=\"\(height)\"/>")
            lines.append(
                "  <path class=\"axis\" d=\"M\(left) \(top)v\(height)h\(50 * width)\"/>")
            for (run, style) in [(runs[0], "without"), (runs[2], "with")] {
                let points = run.seconds.enumerated().map { second, counts in
                    let share = Double(counts.succeeded) / Double(max(counts.requests, 1))
                    return "\(left + second * width + width / 2),\(top + Int((Double(height) * (1 - share)).rounded()))"
                }
                lines.append("  <polyline class=\"\(style)\" points=\"\(points.joined(separator: " "))\"/>")
            }
        }
        let bottom = runs.count * (height + gap) + 22
        lines.append(
            "  <text class=\"note\" x=\"\(left)\" y=\"\(bottom)\">Share of the requests of each second that succeed. "
                + "Dashed: a timeout of 30 s. Line: standardResilience().</text>")
        return (lines + ["</svg>", ""]).joined(separator: "\n")
    }
}
