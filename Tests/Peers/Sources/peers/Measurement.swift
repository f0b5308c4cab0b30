import Foundation

/// One line of results: the work, its duration, and its cost.
struct Measurement {
    let job: String
    let peer: String
    var concurrency = 1
    private let start = ContinuousClock.now
    private let cpuAtStart = Self.usage.cpu

    init(_ job: String, _ peer: String, concurrency: Int = 1) {
        self.job = job
        self.peer = peer
        self.concurrency = concurrency
    }

    private static var usage: (cpu: Double, peakMemory: Int) {
        var usage = rusage()
        // The CPU time of this process.
        getrusage(0, &usage)
        let times = [usage.ru_utime, usage.ru_stime]
        return (times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }, usage.ru_maxrss * 1024)
    }

    func finish(count: Int, bytes: Int) {
        let seconds = (.now - start) / .seconds(1)
        let usage = Self.usage
        print(
            """
            {"job": "\(job)", "peer": "\(peer)", "concurrency": \(concurrency), "count": \(count), "bytes": \(bytes), \
            "seconds": \(seconds), "cpu": \(usage.cpu - cpuAtStart), "memory": \(usage.peakMemory)}
            """)
    }
}
