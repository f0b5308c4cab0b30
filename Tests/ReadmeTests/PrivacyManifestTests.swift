import Errand
import Testing

/// Apple requires a reason for some APIs, which a product states in `PrivacyInfo.xcprivacy`.
struct `The privacy manifests` {
    /// The names of these APIs, by their category.
    private static let names = [
        "FileTimestamp": ["stat(", "statat(", "getattrlist", "odificationDate", "reationDate", "attributesOfItem"],
        "DiskSpace": ["statvfs(", "statfs(", "systemFreeSize", "systemSize", "volumeAvailableCapacity"],
        "SystemBootTime": ["systemUptime", "mach_absolute_time"],
        "UserDefaults": ["UserDefaults"], "ActiveKeyboards": ["activeInputModes"],
    ]

    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Sources").standardized

    @Test(arguments: [
        "Errand", "ErrandJSON", "ErrandWebSocket", "ErrandAuth", "ErrandResilience", "ErrandTesting",
        "ErrandWebSocketTesting", "ErrandMockServer", "ErrandTestingTraits", "ErrandOpenAPIRuntime",
    ])
    func `name each category of APIs that a product calls`(_ product: String) throws {
        let folder = Self.sources.appendingPathComponent(product)
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        let code = try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
            .flatMap { try String(contentsOf: $0, encoding: .utf8).split(separator: "\n") }
            .filter { !$0.drop { $0 == " " }.hasPrefix("//") }
        let called = Self.names.filter { $0.value.contains { name in code.contains { $0.contains(name) } } }.map(\.key)
        #expect(try Set(called) == declared(in: folder.appendingPathComponent("PrivacyInfo.xcprivacy")))
    }

    /// The categories that a manifest declares; none without a manifest.
    private func declared(in file: URL) throws -> Set<String> {
        guard let data = try? Data(contentsOf: file) else { return [] }
        let manifest = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        let apis = try #require(manifest?["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        for api in apis { #expect((api["NSPrivacyAccessedAPITypeReasons"] as? [String])?.isEmpty == false) }
        let categories = apis.compactMap { $0["NSPrivacyAccessedAPIType"] as? String }
        return Set(categories.map { $0.replacing("NSPrivacyAccessedAPICategory", with: "") })
    }
}
