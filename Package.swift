// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// The tests of the library, with the further products that they need. Each target has the tests of one product or of
/// some folders, which it mirrors.
let libraryTests = [
    ("ErrandTests", ["ErrandResilience"]), ("ErrandPipelineTests", []), ("ErrandMessageTests", []),
    ("ErrandTransportTests", []), ("ErrandStreamingTests", ["ErrandResilience"]), ("ErrandInterceptorTests", []),
    ("ErrandCacheTests", ["ErrandResilience"]), ("ErrandAuthTests", ["ErrandAuth"]),
    ("ErrandResilienceTests", ["ErrandResilience"]),
    ("ErrandWebSocketTests", ["ErrandWebSocket", "ErrandWebSocketTesting"]), ("ErrandMockServerTests", []),
].map { name, products in
    Target.testTarget(
        name: name,
        dependencies: ["Errand", "ErrandTesting", "ErrandMockServer", "TestSupport"]
            + products.map { .byName(name: $0) },
        swiftSettings: strict)
}

// Elsewhere, a resource would only add a bundle.
#if canImport(Darwin)
let privacyManifest: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
#else
let privacyManifest: [Resource] = []
#endif

let package = Package(
    name: "Errand",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Errand", targets: ["Errand"]),
        .library(name: "ErrandJSON", targets: ["ErrandJSON"]),
        .library(name: "ErrandWebSocket", targets: ["ErrandWebSocket"]),
        .library(name: "ErrandAuth", targets: ["ErrandAuth"]),
        .library(name: "ErrandResilience", targets: ["ErrandResilience"]),
        .library(name: "ErrandTesting", targets: ["ErrandTesting"]),
        .library(name: "ErrandWebSocketTesting", targets: ["ErrandWebSocketTesting"]),
        .library(name: "ErrandMockServer", targets: ["ErrandMockServer"]),
        // A separate product, because it links Swift Testing.
        .library(name: "ErrandTestingTraits", targets: ["ErrandTestingTraits"]),
        .library(name: "ErrandOpenAPIRuntime", targets: ["ErrandOpenAPIRuntime"]),
        .executable(name: "errand-openapi", targets: ["errand-openapi"]),
        .plugin(name: "GenerateAPI", targets: ["GenerateAPI"]),
    ],
    targets: [
        .target(name: "CCurl", linkerSettings: [.linkedLibrary(":libcurl.so.4", .when(platforms: [.linux]))]),
        .target(name: "CEvents"),
        .target(
            name: "CCompression",
            linkerSettings: [
                .linkedLibrary(":libz.so.1", .when(platforms: [.linux])),
                .linkedLibrary("z", .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS])),
            ]),
        .target(name: "ErrandJSON", exclude: ["Guides", "Surface.txt"], swiftSettings: strict),
        .target(
            name: "Errand",
            dependencies: [
                "ErrandJSON",
                .target(name: "CCurl", condition: .when(platforms: [.linux])),
                .target(name: "CEvents", condition: .when(platforms: [.linux])),
                "CCompression",
            ],
            exclude: ["Guides", "Surface.txt"] + (privacyManifest.isEmpty ? ["PrivacyInfo.xcprivacy"] : []),
            resources: privacyManifest,
            swiftSettings: strict),
        .target(
            name: "ErrandWebSocket", dependencies: ["Errand", "CCompression"], exclude: ["Guides", "Surface.txt"],
            swiftSettings: strict),
        .target(
            name: "ErrandAuth", dependencies: ["Errand"], exclude: ["Guides", "Surface.txt"], swiftSettings: strict),
        .target(
            name: "ErrandResilience", dependencies: ["Errand"], exclude: ["Guides", "Surface.txt"],
            swiftSettings: strict),
        .target(
            name: "ErrandTesting", dependencies: ["Errand"], exclude: ["Guides", "Surface.txt"], swiftSettings: strict),
        .target(
            name: "ErrandWebSocketTesting", dependencies: ["ErrandWebSocket", "ErrandTesting"],
            exclude: ["Guides", "Surface.txt"], swiftSettings: strict),
        .target(
            name: "ErrandMockServer", dependencies: ["ErrandTesting", "ErrandWebSocketTesting"],
            exclude: ["Guides", "Surface.txt"], swiftSettings: strict),
        .target(
            name: "ErrandTestingTraits", dependencies: ["Errand", "ErrandTesting"], exclude: ["Guides", "Surface.txt"],
            swiftSettings: strict),
        .target(
            name: "Fixtures", path: "Fixtures",
            resources: [
                .copy("users.json"), .copy("posts.json"), .copy("comments.json"), .copy("todos.json"),
                .copy("albums.json"), .copy("photos.json"),
            ]),
        .executableTarget(
            name: "placeholder",
            dependencies: ["Errand", "ErrandWebSocket", "ErrandMockServer", "Fixtures"],
            swiftSettings: strict),
        .executableTarget(name: "errand-bench", dependencies: ["Errand", "ErrandWebSocket"], swiftSettings: strict),
        // The generator of clients from OpenAPI documents, and what generated clients need.
        .target(name: "CYAML"),
        .target(name: "ErrandOpenAPI", dependencies: ["ErrandJSON", "CYAML"], swiftSettings: strict),
        .executableTarget(name: "errand-openapi", dependencies: ["ErrandOpenAPI"], swiftSettings: strict),
        .plugin(
            name: "GenerateAPI",
            capability: .command(
                intent: .custom(verb: "generate-api", description: "Writes API clients from OpenAPI documents."),
                permissions: [.writeToPackageDirectory(reason: "to write the clients into their targets")]),
            dependencies: ["errand-openapi"], path: "Sources/GenerateAPI"),
        .target(
            name: "ErrandOpenAPIRuntime", dependencies: ["Errand"], exclude: ["Guides", "Surface.txt"],
            swiftSettings: strict),
        .testTarget(
            name: "ErrandOpenAPITests", dependencies: ["ErrandOpenAPI", "TestTools"], swiftSettings: strict),
        .testTarget(
            name: "ErrandOpenAPIRuntimeTests",
            dependencies: ["ErrandOpenAPIRuntime", "ErrandTesting", "ErrandMockServer", "MoneyKit", "TestSupport"],
            exclude: ["library.yaml", "orders.json", "orders.yaml", "styles.yaml"], swiftSettings: strict),
        // The custom types of a generated client.
        .target(name: "MoneyKit", path: "Tests/MoneyKit", swiftSettings: strict),
        // The client that the generator writes for the example server.
        .target(
            name: "BulletinClient", dependencies: ["ErrandOpenAPIRuntime"], path: "Tests/BulletinClient",
            exclude: ["bulletin.yaml", "errand-openapi.json"], swiftSettings: strict),
        .testTarget(
            name: "PlaceholderClientTests",
            dependencies: [
                "BulletinClient", "placeholder", "ErrandOpenAPIRuntime", "ErrandTesting", "ErrandMockServer",
            ],
            swiftSettings: strict),
        .target(name: "TestWidth", path: "Tests/TestWidth", publicHeadersPath: "."),
        // What all tests share, and what those of the client share.
        .target(name: "TestTools", dependencies: ["TestWidth"], path: "Tests/TestTools", swiftSettings: strict),
        .target(
            name: "TestSupport", dependencies: ["Errand", "ErrandTesting", "ErrandMockServer", "TestTools"],
            path: "Tests/TestSupport", swiftSettings: strict),
        .testTarget(name: "ErrandJSONTests", dependencies: ["ErrandJSON", "TestTools"], swiftSettings: strict),
        .executableTarget(
            name: "transport-probe", dependencies: ["Errand"], path: "Tests/TransportProbe", swiftSettings: strict),
        .testTarget(
            name: "ProcessTests", dependencies: ["transport-probe", "Errand", "ErrandMockServer", "TestSupport"],
            swiftSettings: strict),
        // The contract of all transports is a separate target, so that deep checks can build it alone.
        .testTarget(
            name: "ContractTests", dependencies: ["Errand", "ErrandWebSocket", "ErrandMockServer", "TestSupport"],
            exclude: ["Outcomes.md"], swiftSettings: strict),
        .testTarget(
            name: "ErrandTestingTests",
            dependencies: [
                "ErrandTesting", "ErrandTestingTraits", "ErrandMockServer", "ErrandResilience", "TestSupport",
            ],
            exclude: ["Cassette/Cassettes"], resources: [.copy("Guides/Fixtures")], swiftSettings: strict),
        .testTarget(
            name: "PlaceholderTests",
            dependencies: [
                "placeholder", "Errand", "ErrandWebSocket", "ErrandTesting", "ErrandWebSocketTesting",
                "ErrandMockServer", "Fixtures", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "InteropTests",
            dependencies: [
                "Errand", "ErrandAuth", "ErrandResilience", "ErrandWebSocket", "ErrandTesting",
                "ErrandWebSocketTesting", "ErrandMockServer", "TestSupport",
            ],
            exclude: ["Cache/cache-tests.mjs"], swiftSettings: strict),
        .testTarget(
            name: "ReadmeTests",
            dependencies: [
                "Errand", "ErrandResilience", "ErrandWebSocket", "ErrandTesting", "ErrandTestingTraits",
                "ErrandMockServer",
            ],
            exclude: ["Samples/Cassettes"], swiftSettings: strict),
        // The README's first samples with the settings of a new Xcode project.
        .testTarget(
            name: "MainActorTests", dependencies: ["Errand", "ErrandTesting"],
            swiftSettings: [
                .defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .enableUpcomingFeature("InferIsolatedConformances"),
            ]),
        // The tutorial's last step, with a user's settings: links into the documentation.
        .target(name: "Bulletin", dependencies: ["Errand"], path: "Tests/Tutorial/Bulletin"),
        .testTarget(
            name: "BulletinTests", dependencies: ["Bulletin", "Errand", "ErrandTesting", "ErrandMockServer"],
            path: "Tests/Tutorial/BulletinTests"),
    ] + libraryTests,
    swiftLanguageModes: [.v6]
)

// The deep checks name the test targets that they need, and build no other.
if let names = Context.environment["ERRAND_TEST_TARGETS"]?.split(separator: " ") {
    package.targets.removeAll { $0.isTest && !names.contains(Substring($0.name)) }
}

// The gate and the deep checks set this variable. A package that uses this one never fails to build for the warning of
// a newer compiler.
if Context.environment["ERRAND_WARNINGS"] == "errors" {
    for target in package.targets where target.type != .plugin {
        target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
        target.cSettings = (target.cSettings ?? []) + [.treatAllWarnings(as: .error)]
    }
}
