internal import ErrandJSON
internal import Foundation

/// The file `errand-openapi.json`: choices that stay the same from run to run.
struct Configuration: Decodable {
    var document: String?
    var output: String?
    var tests: String?
    var stubs: String?
    var name: String?
    var module: String?
    var prefix: String?
    var access: String?
    var tags: [String]?
    var paths: [String]?
    var operations: [String]?
    /// The schemas to generate, by the names of components.
    var schemas: [String]?
    /// Swift names by pointers.
    var names: [String: String]?
    /// The types of formats.
    var formats: [String: ChosenType]?
    /// The types of schemas, by the names of components and by pointers.
    var types: [String: ChosenType]?
    /// The pointers of enumerations that are Swift enums.
    var closed: [String]?
    /// The preferred media types of bodies.
    var media: [String]?
    /// The pages of lists, by operation identifiers and pointers.
    var pages: [String: PageChoice]?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case document, output, tests, stubs, name, module, prefix, access, tags, paths, operations, schemas
        case names, formats, types, closed, media, pages
    }

    /// Reads a configuration. A key that it does not have is an error.
    static func read(_ path: String) throws(Arguments.Failure) -> Configuration {
        func failure(_ fault: String) -> Arguments.Failure {
            Arguments.Failure(message: "\(path): \(fault)", showsUsage: false)
        }
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            let members = try FastJSONDecoder().decode([String: JSONValue].self, from: data)
            guard let unknown = members.keys.filter({ CodingKeys(stringValue: $0) == nil }).min() else {
                return try FastJSONDecoder().decode(Configuration.self, from: data)
            }
            let hint = SimilarNames.hint(for: unknown, among: CodingKeys.allCases.map(\.rawValue))
            throw failure("`\(unknown)` is unknown\(hint)")
        } catch let fault as PageChoice.Fault {
            throw failure(fault.message)
        } catch let fault as ChosenType.Fault {
            throw failure(fault.message)
        } catch let failure as Arguments.Failure {
            throw failure
        } catch {
            throw failure("the configuration cannot be read: \(error)")
        }
    }
}
