import Foundation
import PackagePlugin

/// `swift package --allow-writing-to-package-directory generate-api`: writes the clients of all targets that have a
/// file `errand-openapi.json`.
@main
struct GenerateAPI: CommandPlugin {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    func performCommand(context: PluginContext, arguments: [String]) throws {
        var words = ArgumentExtractor(arguments)
        let names = words.extractOption(named: "target")
        let tool = try context.tool(named: "errand-openapi")
        let targets = names.isEmpty ? context.package.targets : try context.package.targets(named: names)
        var count = 0
        var failures: [String] = []
        for case let target as any SourceModuleTarget in targets {
            let configuration = target.directoryURL.appending(path: "errand-openapi.json")
            guard FileManager.default.fileExists(atPath: configuration.path) else { continue }
            count += 1
            let process = Process()
            process.executableURL = tool.url
            process.arguments =
                ["--config", configuration.path, "--module", target.moduleName] + words.remainingArguments
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus != 0 else { continue }
            failures.append("errand-openapi ended with \(process.terminationStatus) for \(target.name)")
        }
        if !failures.isEmpty { throw Failure(description: failures.joined(separator: "; ")) }
        guard count == 0 else { return }
        let targetText = names.isEmpty ? "no target" : "no target named \(names.joined(separator: " or "))"
        // The package manager leaves out a target without a Swift file.
        throw Failure(description: "\(targetText) has a Swift file, which may be empty, and a file errand-openapi.json")
    }
}
