import Testing

/// The suites that must not run in parallel: the storm keeps every thread busy for seconds, and the contract about time
/// gives a server a few seconds to respond.
@Suite(.serialized) struct OneAtATime {}
