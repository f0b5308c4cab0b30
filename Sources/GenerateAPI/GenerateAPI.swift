import Foundation
import PackagePlugin

/// `swift package --allow-writing-to-package-directory generate-api`: writes the clients of all targets that have a
/// file `errand-openapi.json`.
@main
struct GenerateAPI: CommandPlugin {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// A target, or the folder of one that has no Swift file yet.
    struct Client {
        let name: String
        let module: String
        let folder: URL
        var configuration: URL { folder.appending(path: "errand-openapi.json") }
    }

    func performCommand(context: PluginContext, arguments: [String]) throws {
        var words = ArgumentExtractor(arguments)
        let names = words.extractOption(named: "target")
        let tool = try context.tool(named: "errand-openapi")
        let clients = clients(of: context.package).filter { client in
            FileManager.default.fileExists(atPath: client.configuration.path)
                && (names.isEmpty || names.contains(client.name))
        }
        for name in names where !clients.contains(where: { $0.name == name }) {
            throw Failure(description: "there is no target \(name) with a file errand-openapi.json")
        }
        if clients.isEmpty { throw Failure(description: "no target has a file errand-openapi.json") }
        var failures: [String] = []
        for client in clients {
            let process = Process()
            process.executableURL = tool.url
            process.arguments =
                ["--config", client.configuration.path, "--module", client.module] + words.remainingArguments
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus != 0 else { continue }
            failures.append("errand-openapi ended with \(process.terminationStatus) for \(client.name)")
        }
        if !failures.isEmpty { throw Failure(description: failures.joined(separator: "; ")) }
    }

    private func clients(of package: Package) -> [Client] {
        let targets = package.targets.compactMap { $0 as? any SourceModuleTarget }.map {
            Client(name: $0.name, module: $0.moduleName, folder: $0.directoryURL)
        }
        // The package manager leaves out a target that has no Swift file yet.
        let sources = package.directoryURL.appending(path: "Sources")
        let folders = (try? FileManager.default.contentsOfDirectory(at: sources, includingPropertiesForKeys: nil)) ?? []
        let others = folders.filter { folder in !targets.contains { $0.name == folder.lastPathComponent } }.map {
            Client(
                name: $0.lastPathComponent, module: $0.lastPathComponent.replacing("-", with: "_"), folder: $0)
        }
        return targets + others.sorted { $0.name < $1.name }
    }
}
