// swift-tools-version: 6.2
import PackageDescription

// Errand and other clients in the same loop; see `run`. It is a separate package, so that Errand itself depends on
// nothing.
let package = Package(
    name: "Peers",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Errand", path: "../.."),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        .target(name: "CLibcurlPeer", linkerSettings: [.linkedLibrary(":libcurl.so.4")]),
        .executableTarget(
            name: "peers",
            dependencies: [
                "CLibcurlPeer",
                .product(name: "Errand", package: "Errand"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "OpenCombine", package: "OpenCombine"),
            ]),
    ]
)
