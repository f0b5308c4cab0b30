extension Duration {
    /// This duration, or a hundred years where it is longer: clocks trap when they reckon with more.
    package var bounded: Duration { min(self, .seconds(100 * 365 * 24 * 60 * 60 as Int64)) }
}
