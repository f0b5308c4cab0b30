internal import Foundation

/// The command `errand-openapi`: it reads a document and writes a client.
package struct GeneratorCommand {
    /// Why the command ends.
    enum ExitCode: Int32 {
        case done = 0
        case faultyDocument = 1
        case usage = 2
        case files = 3
        case differences = 4
        /// The exit codes of `diff`.
        case mayBreakAtRunTime = 5
        case doesNotCompile = 6
    }

    let print: (String) -> Void

    /// - Parameter print: Receives the lines of messages.
    package init(print: @escaping (String) -> Void) {
        self.print = print
    }

    /// Runs the command and returns its exit code.
    package func run(_ words: [String]) -> Int32 {
        do throws(Arguments.Failure) {
            if words.isEmpty || words.contains("--help") {
                print(Arguments.usage)
                return words.isEmpty ? ExitCode.usage.rawValue : ExitCode.done.rawValue
            }
            return try run(Arguments(words)).rawValue
        } catch {
            print("error: \(error.message)")
            if error.showsUsage { print(Arguments.usage) }
            return ExitCode.usage.rawValue
        }
    }

    private func run(_ arguments: Arguments) throws(Arguments.Failure) -> ExitCode {
        var arguments = arguments
        let options = try options(completing: &arguments)
        if let old = arguments.oldDocument { return try compare(old, arguments, options) }
        guard !arguments.document.isEmpty else { throw Arguments.Failure(message: "the document is missing") }
        guard let output = arguments.output else { throw Arguments.Failure(message: "--output is missing") }
        let diagnostics = Diagnostics()
        let loader = Loader(diagnostics)
        guard let document = APIDocument(arguments.document, loader, filter: options.filter) else {
            show(diagnostics)
            let isFile = loader.lacksYAML || diagnostics.all.contains { $0.kind == .file }
            return isFile ? .files : .faultyDocument
        }
        let client = ClientModel(document, options)
        var folders = OutputFolders(output, ClientWriter(client).files())
        if let tests = arguments.tests { folders.add(tests, TestFiles(client).files()) }
        if let stubs = arguments.stubs { folders.add(stubs, StubFiles(client).files()) }
        show(diagnostics)
        if let report = arguments.report, !write(Report(client).text, to: report) { return .files }
        guard !loader.lacksYAML else { return .files }
        guard !diagnostics.hasErrors, !arguments.isStrict || diagnostics.count(of: .warning) == 0 else {
            let isUsage = diagnostics.all.contains { $0.severity == .error && $0.kind == .configuration }
            return isUsage ? .usage : .faultyDocument
        }
        return finish(folders.all, client, arguments)
    }

    /// The output folders, of which two parts of the output can share one.
    private struct OutputFolders {
        private var files: [(path: String, files: [String: String])] = []

        init(_ path: String, _ files: [String: String]) { add(path, files) }

        mutating func add(_ path: String, _ files: [String: String]) {
            let path = URL(fileURLWithPath: path).standardizedFileURL.path
            if let index = self.files.firstIndex(where: { $0.path == path }) {
                self.files[index].files.merge(files) { first, _ in first }
            } else {
                self.files.append((path, files))
            }
        }

        var all: [OutputFolder] { files.map { OutputFolder($0.path, files: $0.files) } }
    }

    private func finish(_ folders: [OutputFolder], _ client: ClientModel, _ arguments: Arguments) -> ExitCode {
        let count = folders.reduce(0) { $0 + $1.files.count }
        do throws(OutputFolder.Failure) {
            if arguments.checks || arguments.isDryRun {
                var changes = OutputFolder.Changes()
                for folder in folders { changes.add(try folder.changes()) }
                for path in changes.written { print("would write \(path)") }
                for path in changes.removed { print("would remove \(path)") }
                if changes.isEmpty { print("\(client.className): \(count) files are up to date") }
                return arguments.checks && !changes.isEmpty ? .differences : .done
            }
            let changes = try OutputFolder.write(folders, force: arguments.force)
            let requests = client.requests.count
            let lists = client.requests.count { $0.pages != nil }
            let types = client.types.written.count
            let operations = "\(requests) request\(requests == 1 ? "" : "s"), \(lists) of them lists with pages, "
            print(
                "\(client.className): \(client.options.filter.isTypesOnly ? "" : operations)"
                    + "\(types) type\(types == 1 ? "" : "s"); "
                    + "\(changes.written.count) of \(count) files written, \(changes.removed.count) removed")
            return .done
        } catch {
            switch error {
            case .edited(let paths):
                print("error: these files were changed after they were generated; --force replaces them:")
                for path in paths { print("  \(path)") }
            case .unreadable(let path, let error): print("error: \(path) cannot be read: \(error)")
            case .unwritable(let path, let error): print("error: \(path) cannot be written: \(error)")
            }
            return .files
        }
    }

    /// Returns the options of the configuration and of the command line, and completes the arguments.
    private func options(completing arguments: inout Arguments) throws(Arguments.Failure) -> ClientModel.Options {
        var options = ClientModel.Options()
        if let path = arguments.configuration { try apply(Configuration.read(path), to: &arguments, &options) }
        options.name = arguments.name ?? options.name
        options.access = arguments.access ?? options.access
        options.filter = arguments.filter
        let folder = arguments.output?.split(separator: "/").last.map(String.init) ?? "API"
        // As the package manager does.
        options.module = arguments.module ?? String(folder.map { $0.isLetter || $0.isNumber ? $0 : "_" })
        return options
    }

    private func show(_ diagnostics: Diagnostics) {
        for line in diagnostics.lines() { print(line) }
        let counts = [Diagnostic.Severity.error, .warning, .note].compactMap { severity in
            let count = diagnostics.count(of: severity)
            return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
        }
        if !counts.isEmpty { print(counts.joined(separator: ", ")) }
    }

    func write(_ text: String, to path: String) -> Bool {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            return true
        } catch {
            print("error: the report \(path) cannot be written: \(error)")
            return false
        }
    }

    private func apply(
        _ configuration: Configuration, to arguments: inout Arguments, _ options: inout ClientModel.Options
    ) throws(Arguments.Failure) {
        // The paths in a configuration are relative to it.
        let file = arguments.configuration ?? ""
        func path(_ path: String?) -> String? { path.map { References.path($0, from: file) } }
        if arguments.document.isEmpty { arguments.document = path(configuration.document) ?? "" }
        arguments.output = arguments.output ?? path(configuration.output ?? ".")
        arguments.tests = arguments.tests ?? path(configuration.tests)
        arguments.stubs = arguments.stubs ?? path(configuration.stubs)
        arguments.module = arguments.module ?? configuration.module
        if let access = configuration.access, arguments.access == nil {
            arguments.access = try Arguments.access(access)
        }
        arguments.filter.tags.formUnion(configuration.tags ?? [])
        arguments.filter.paths += configuration.paths ?? []
        arguments.filter.ids.formUnion(configuration.operations ?? [])
        arguments.filter.schemas.formUnion(configuration.schemas ?? [])
        options.name = configuration.name
        options.prefix = configuration.prefix ?? ""
        options.names = configuration.names ?? [:]
        for name in options.names.values.sorted() + (options.prefix.isEmpty ? [] : [options.prefix])
        where !SwiftName.isIdentifier(name) {
            throw Arguments.Failure(message: "\(file): \"\(name)\" is not a name in Swift", showsUsage: false)
        }
        options.closed = Set(configuration.closed ?? [])
        options.media = configuration.media ?? []
        options.pages = configuration.pages ?? [:]
        options.formats = configuration.formats ?? [:]
        options.types = configuration.types ?? [:]
        for case .custom(let type) in Array(options.formats.values) + options.types.values {
            var fault = type.names.allSatisfy(SwiftName.isIdentifier) ? nil : "\"\(type.type)\" is not a type in Swift"
            if let module = type.module, !SwiftName.isIdentifier(module) {
                fault = "\"\(module)\" is not a module in Swift"
            }
            if let fault { throw Arguments.Failure(message: "\(file): \(fault)", showsUsage: false) }
        }
    }
}
