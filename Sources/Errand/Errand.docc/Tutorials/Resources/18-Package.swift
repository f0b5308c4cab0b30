// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Bulletin",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Errand", path: "../Errand")],
    targets: [
        .executableTarget(
            name: "Bulletin",
            dependencies: ["Errand", .product(name: "ErrandOpenAPIRuntime", package: "Errand")],
            exclude: ["notes.yaml", "errand-openapi.json"]),
        .testTarget(
            name: "BulletinTests",
            dependencies: [
                "Bulletin", .product(name: "ErrandTesting", package: "Errand"),
                .product(name: "ErrandMockServer", package: "Errand"),
            ]),
    ]
)
