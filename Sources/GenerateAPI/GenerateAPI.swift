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
            guard process.terminationStatus == 0 else {
                throw Failure(description: "errand-openapi ended with \(process.terminationStatus) for \(target.name)")
            }
        }
        if count == 0 { throw Failure(description: "no target has a file errand-openapi.json") }
    }
}
