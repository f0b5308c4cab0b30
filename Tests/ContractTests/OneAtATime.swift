import Testing

/// The suites that must not run in parallel: the cancel storm keeps every thread busy for seconds, and the tests of
/// timeouts give a server only a few seconds to respond.
@Suite(.serialized) struct OneAtATime {}
