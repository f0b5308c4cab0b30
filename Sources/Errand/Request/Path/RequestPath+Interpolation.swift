extension RequestPath: ExpressibleByStringInterpolation {
    /// Creates a path from a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// Creates a path from a literal with interpolated values.
    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.path
    }

    /// The builder of a path from a literal with interpolated values. Each value stays within its segment.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate(set) var path = RequestPath()

        /// Creates an empty path.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends the text of the literal.
        public mutating func appendLiteral(_ literal: String) {
            path.append(literal: literal)
        }

        /// Appends a text, an integer, a UUID, or a custom segment.
        public mutating func appendInterpolation(_ value: some PathSegmentConvertible) {
            path.append(value: value.pathSegment)
        }

        /// Appends another path, whose slashes separate segments.
        public mutating func appendInterpolation(_ path: RequestPath) {
            self.path.append(piece: path)
        }

        /// Appends the description of a value.
        @_disfavoredOverload
        public mutating func appendInterpolation(_ value: some LosslessStringConvertible) {
            path.append(value: value.description)
        }

        /// Appends a number in decimal digits, without an exponent. A number that is not finite is rejected.
        @_disfavoredOverload
        public mutating func appendInterpolation(_ value: some BinaryFloatingPoint & LosslessStringConvertible) {
            guard let digits = PlainDecimal(value) else {
                path.fault = path.fault ?? .notFinite
                return
            }
            path.append(value: digits.text)
        }

        /// Appends the raw value of a value.
        @_disfavoredOverload
        public mutating func appendInterpolation<Value: RawRepresentable>(
            _ value: Value
        ) where Value.RawValue: LosslessStringConvertible {
            path.append(value: value.rawValue.description)
        }

        /// Appends the raw value of a value.
        @_disfavoredOverload
        public mutating func appendInterpolation<Value: RawRepresentable & LosslessStringConvertible>(
            _ value: Value
        ) where Value.RawValue: LosslessStringConvertible {
            path.append(value: value.rawValue.description)
        }
    }
}
