package import Foundation

/// The documents of public test suites, which are not part of the project: `.ci/public-suites` says where they are.
package enum PublicSuite: String {
    case awsSignature = "aws-sigv4"
    case http = "http-state"
    case json = "json-test-suite"

    /// The reason that is printed when the tests of a suite are skipped.
    package static let reason = "ERRAND_PUBLIC_SUITES does not name the folder with the documents of public test suites"

    /// The folder of the suite; `nil` without the documents.
    package var folder: URL? {
        guard let parent = ProcessInfo.processInfo.environment["ERRAND_PUBLIC_SUITES"] else { return nil }
        let folder = URL(fileURLWithPath: parent).appendingPathComponent(rawValue)
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }
}
