import Testing

/// What must not run beside each other: the storm keeps every thread busy for seconds, and the contract about time gives a
/// server a few seconds to answer.
@Suite(.serialized) struct OneAtATime {}
