extension Duration {
    /// As many seconds, at most a week: Foundation's intervals may be infinite, or no number at all, which is a week too.
    package init(bounding seconds: TimeInterval) {
        let week: TimeInterval = 7 * 24 * 60 * 60
        self = .seconds(seconds.isNaN ? week : Swift.min(Swift.max(seconds, 0), week))
    }
}
