// swift-tools-version: 6.2
import PackageDescription

// The samples of the guide `ObservingRequests.md` with the real packages, for `.ci/deep tracing`, which adds the
// samples and replaces the path of Errand.
let package = Package(
    name: "Tracing",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Errand", path: "../.."),
        .package(url: "https://github.com/apple/swift-distributed-tracing", exact: "1.7.3"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
    ],
    targets: [
        .executableTarget(
            name: "observed", dependencies: ["Errand", .product(name: "Hummingbird", package: "hummingbird")]),
        .testTarget(
            name: "TracingTests",
            dependencies: [
                "Errand", .product(name: "ErrandTesting", package: "Errand"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ]),
    ]
)
