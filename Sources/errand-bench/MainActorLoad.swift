import Errand

/// Decodes and encodes a large document from the main actor, and measures how long no other task can run there.
enum MainActorLoad {
    private struct Reading: Codable {
        var id: Int
        var name: String
        var values: [Double]
    }

    /// The longest time for which no other task could run: with Errand, and with a decoder in a task outside the main
    /// actor.
    struct Gaps {
        var errand = Duration.seconds(3600)
        var detached = Duration.seconds(3600)
    }

    /// Measures the longest gap between two runs of another task on the main actor, in each of thirty runs.
    ///
    /// - Returns: The bytes of the document, and the shortest of the thirty gaps. The work of Errand on the main actor
    ///   is in every gap. Delays by other threads of the system, which may take 4 ms on few processors, are not: they
    ///   occur at other times in each run.
    @MainActor static func run(bytes: Int) async throws -> (bytes: Int, gaps: Gaps) {
        let reading = Reading(id: 1, name: "a reading of some length", values: [1.5, 2.25, 3.125, 4.0625])
        let readings = [Reading](repeating: reading, count: max(1, bytes / 80))
        let document = try JSONEncoder().encode(readings)
        var gaps = Gaps()
        for _ in 0..<30 {
            gaps.errand = min(gaps.errand, try await longestGap { try await send(readings, document) })
            gaps.detached = min(gaps.detached, try await longestGap { try await decode(document) })
        }
        return (document.count, gaps)
    }

    @MainActor private static func send(_ readings: [Reading], _ document: Data) async throws -> [Reading] {
        let base = URL(string: "https://api.example.com/readings") ?? URL(fileURLWithPath: "/")
        let request = BenchRequest(base, over: .platformDefault)
        request.method = .put
        request.body = .json(readings)
        request.dataTaskPipeline = request.stubJSONResponse(data: document)
        return try await request.start().decode([Reading].self).value
    }

    @concurrent private static func decode(_ document: Data) async throws -> [Reading] {
        try JSONDecoder().decode([Reading].self, from: document)
    }

    /// Returns the longest gap between two runs of a task that continually yields on the main actor during `work`.
    @MainActor private static func longestGap(during work: @MainActor () async throws -> [Reading]) async throws
        -> Duration
    {
        let watch = Task {
            var (longest, last) = (Duration.zero, ContinuousClock.now)
            while !Task.isCancelled {
                await Task.yield()
                let now = ContinuousClock.now
                (longest, last) = (max(longest, now - last), now)
            }
            return longest
        }
        await Task.yield()
        defer { watch.cancel() }
        // The decoded value is released after the measurement, because its release takes time too.
        let readings = try await work()
        watch.cancel()
        let longest = await watch.value
        return withExtendedLifetime(readings) { longest }
    }
}
