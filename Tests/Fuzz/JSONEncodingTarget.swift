/// Options and a value: Errand and Foundation encode the same JSON or both fail, except as the guide's table lists.
@Sendable func fuzzJSONEncoding(_ input: consuming FuzzInput) {
    var input = input
    let comparison = EncodingComparison { input.number() }
    expect(comparison.isExplained, "\(comparison)")
}
