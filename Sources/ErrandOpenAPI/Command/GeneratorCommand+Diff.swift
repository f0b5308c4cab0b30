extension GeneratorCommand {
    /// Compares the clients of two documents, and shows what the newer one changes for code that uses the client.
    func compare(
        _ old: String, _ arguments: Arguments, _ options: ClientModel.Options
    ) throws(Arguments.Failure) -> ExitCode {
        let (old, new) = (Version(old, options), Version(arguments.document, options))
        // A filter can name what only one of the documents has.
        let faults = Set(old.filterFaults).intersection(new.filterFaults)
        if let fault = faults.min() { throw Arguments.Failure(message: fault) }
        for line in old.errors + new.errors { print(line) }
        guard !old.isUnreadable, !new.isUnreadable else { return .files }
        guard let older = old.client, let newer = new.client, old.errors.isEmpty, new.errors.isEmpty else {
            return .faultyDocument
        }
        let report = DiffReport(changes: Comparison.changes(from: older, to: newer))
        for line in report.lines { print(line) }
        if let path = arguments.report, !write(report.json, to: path) { return .files }
        switch report.verdict {
        case nil, .harmless: return .done
        case .runTime: return .mayBreakAtRunTime
        case .compile: return .doesNotCompile
        }
    }

    /// A version of a document, with its client and the messages that matter for a comparison.
    private struct Version {
        let client: ClientModel?
        /// Whether a file cannot be read.
        let isUnreadable: Bool
        /// The errors of the document.
        let errors: [String]
        /// Parts of the filter that match no operation, without a hint.
        let filterFaults: [String]

        init(_ path: String, _ options: ClientModel.Options) {
            let diagnostics = Diagnostics()
            let loader = Loader(diagnostics)
            client = APIDocument(path, loader, filter: options.filter).map { ClientModel($0, options) }
            let faults = diagnostics.all.filter { $0.severity == .error }
            isUnreadable = loader.lacksYAML || faults.contains { $0.kind == .file }
            errors = faults.filter { $0.kind != .configuration }.map(\.description)
            filterFaults = faults.filter { $0.kind == .configuration }.compactMap {
                $0.message.split(separator: ";").first.map(String.init)
            }
        }
    }
}
