extension Duration {
    /// This duration, but at most a hundred years. Clocks trap when they add longer durations to an instant.
    package var bounded: Duration { min(self, .seconds(100 * 365 * 24 * 60 * 60 as Int64)) }
}
