// A toolchain without Swift Testing compiles an empty module.
#if canImport(Testing)
public import Errand
import ErrandTesting
public import Testing

extension ErrandError: CustomTestStringConvertible {
    /// The text of the error in the report of a test.
    ///
    /// If a stub or a server on this machine has responded, it is `revealed`, without the values of secret names such
    /// as `Authorization` and `access_token`. Otherwise, and while a cassette records, it is the description.
    public var testDescription: String { textInTest }
}
#endif
