extension Duration {
    /// Creates a duration from seconds, limited to the range from zero to a week. Foundation's intervals may be
    /// infinite or NaN; NaN counts as a week.
    package init(bounding seconds: TimeInterval) {
        let week: TimeInterval = 7 * 24 * 60 * 60
        self = .seconds(seconds.isNaN ? week : Swift.min(Swift.max(seconds, 0), week))
    }
}
