/// Options and a value: Errand and Foundation encode the same JSON or both fail, but for what the guide's table says.
@Sendable func fuzzJSONEncoding(_ input: consuming FuzzInput) {
    var input = input
    let comparison = EncodingComparison { input.number() }
    expect(comparison.isExplained, "\(comparison)")
}
