import Errand

/// One line of results.
struct Report {
    let name: String
    let job: String
    var concurrency: Int?
    var bytes = 0
    /// The longest times for which no other task could run on the main actor.
    var gaps: MainActorLoad.Gaps?
    private let start = ContinuousClock.now

    init(name: String, job: String, concurrency: Int? = nil) {
        self.name = name
        self.job = job
        self.concurrency = concurrency
    }

    /// Prints the line.
    func finish(count: Int) {
        let seconds = (.now - start) / .seconds(1)
        var usage = rusage()
        getrusage(0, &usage)
        let fields: [(String, String)] = [
            ("name", "\"\(name)\""), ("job", "\"\(job)\""), ("count", "\(count)"), ("bytes", "\(bytes)"),
            ("seconds", "\(seconds)"), ("cpu_seconds", "\(usage.ru_utime.seconds + usage.ru_stime.seconds)"),
            ("peak_rss_bytes", "\(usage.peakBytes)"), ("concurrency", concurrency.map(String.init) ?? "null"),
            ("longest_gap_seconds", gaps.map { "\($0.errand / .seconds(1))" } ?? "null"),
            ("longest_gap_detached_seconds", gaps.map { "\($0.detached / .seconds(1))" } ?? "null"),
        ]
        print("{" + fields.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + "}")
    }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
