extension RequestPath: ExpressibleByStringInterpolation {
    /// A path written as a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// A path written as a literal with values in it.
    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.path
    }

    /// What a literal with values in it is put together by: each value stays within its segment.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate(set) var path = RequestPath()

        /// An empty path.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends what stands in the literal, as it is.
        public mutating func appendLiteral(_ literal: String) {
            path.append(literal: literal)
        }

        /// Appends a text, an integer, a UUID, or a segment of your own.
        public mutating func appendInterpolation(_ value: some PathSegmentConvertible) {
            path.append(value: value.pathSegment)
        }

        /// Appends another path, whose slashes count.
        public mutating func appendInterpolation(_ path: RequestPath) {
            self.path.append(piece: path)
        }

        /// Appends a value by its description.
        @_disfavoredOverload
        public mutating func appendInterpolation(_ value: some LosslessStringConvertible) {
            path.append(value: value.description)
        }

        /// Appends a number in decimal digits, without an exponent. One that is not finite is refused.
        @_disfavoredOverload
        public mutating func appendInterpolation(_ value: some BinaryFloatingPoint & LosslessStringConvertible) {
            guard let digits = PlainDecimal(value) else {
                path.fault = path.fault ?? .notFinite
                return
            }
            path.append(value: digits.text)
        }

        /// Appends a value by its raw value.
        @_disfavoredOverload
        public mutating func appendInterpolation<Value: RawRepresentable>(
            _ value: Value
        ) where Value.RawValue: LosslessStringConvertible {
            path.append(value: value.rawValue.description)
        }

        /// Appends a value by its raw value.
        @_disfavoredOverload
        public mutating func appendInterpolation<Value: RawRepresentable & LosslessStringConvertible>(
            _ value: Value
        ) where Value.RawValue: LosslessStringConvertible {
            path.append(value: value.rawValue.description)
        }
    }
}
