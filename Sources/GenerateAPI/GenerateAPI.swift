import Foundation
import PackagePlugin

/// `swift package --allow-writing-to-package-directory generate-api`: writes the clients of all targets that have a
/// file `errand-openapi.json`.
@main
struct GenerateAPI: CommandPlugin {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// A folder with a configuration.
    struct Client {
        /// The name of the target.
        let name: String
        let folder: URL
        /// The name of the module; `nil` if the package manager does not know the target yet.
        var module: String?

        var configuration: URL { folder.appending(path: "errand-openapi.json") }
        var exists: Bool { FileManager.default.fileExists(atPath: configuration.path) }
    }

    func performCommand(context: PluginContext, arguments: [String]) throws {
        var words = ArgumentExtractor(arguments)
        let names = words.extractOption(named: "target")
        let tool = try context.tool(named: "errand-openapi")
        let clients = clients(of: context.package)
        if let name = names.first(where: { name in !clients.contains { $0.name == name } }) {
            throw Failure(description: "no target \(name) with a file errand-openapi.json\(found(clients))")
        }
        guard !clients.isEmpty else { throw Failure(description: "no target has a file errand-openapi.json") }
        var failures: [String] = []
        for client in clients where names.isEmpty || names.contains(client.name) {
            let process = Process()
            process.executableURL = tool.url
            process.arguments =
                ["--config", client.configuration.path] + (client.module.map { ["--module", $0] } ?? [])
                + words.remainingArguments
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus != 0 else { continue }
            failures.append("errand-openapi ended with \(process.terminationStatus) for \(client.name)")
        }
        if !failures.isEmpty { throw Failure(description: failures.joined(separator: "; ")) }
    }

    /// The targets that have a configuration, and the folders of `Sources` that have one. The package manager leaves
    /// out a target without a Swift file, which is what a client is before its first generation.
    private func clients(of package: Package) -> [Client] {
        let known = package.targets.compactMap { target -> Client? in
            guard let target = target as? any SourceModuleTarget else { return nil }
            return Client(name: target.name, folder: target.directoryURL, module: target.moduleName)
        }
        let sources = package.directoryURL.appending(path: "Sources")
        let paths = Set(known.map(\.folder.standardizedFileURL.path))
        let names = (try? FileManager.default.contentsOfDirectory(atPath: sources.path)) ?? []
        let others = names.sorted().map { Client(name: $0, folder: sources.appending(path: $0)) }
            .filter { !paths.contains($0.folder.standardizedFileURL.path) }
        return (known + others).filter(\.exists)
    }

    private func found(_ clients: [Client]) -> String {
        clients.isEmpty ? "" : "; these have one: \(clients.map(\.name).joined(separator: ", "))"
    }
}
