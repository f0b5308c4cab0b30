extension URLQuery {
    /// The style of a value that is an array. An empty array is omitted in each style.
    public enum ListStyle: Hashable, Sendable, CaseIterable {
        /// The name once for each element: `tag=a&tag=b`.
        case repeated
        /// The name with brackets once for each element, as PHP and Rails parse it: `tag[]=a&tag[]=b`.
        case brackets
        /// The name with the index of each element: `tag[0]=a&tag[1]=b`.
        case indexed
        /// All elements in one value: `tag=a,b`. A comma within an element is escaped. Nested members are rejected.
        case commas
    }

    /// The style of the name of a nested member.
    public enum NestingStyle: Hashable, Sendable, CaseIterable {
        /// In brackets: `filter[state]=open`.
        case brackets
        /// After a dot: `filter.state=open`.
        case dots
    }

    /// The style of a date.
    public enum DateStyle: Hashable, Sendable, CaseIterable {
        /// ISO 8601 in UTC, in whole seconds: `2026-11-21T03:40:42Z`.
        case iso8601
        /// ISO 8601 in UTC, with milliseconds: `2026-11-21T03:40:42.250Z`.
        case iso8601WithMilliseconds
        /// Whole seconds since the beginning of 1970 in UTC: `1795232442`.
        case secondsSince1970
        /// Whole milliseconds since the beginning of 1970 in UTC: `1795232442250`.
        case millisecondsSince1970
    }

    /// The style of a Boolean.
    public enum BooleanStyle: Hashable, Sendable, CaseIterable {
        /// `true` and `false`.
        case words
        /// `1` and `0`.
        case digits
    }
}
