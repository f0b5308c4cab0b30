internal import CYAML

/// Reads a YAML document into a tree: the JSON subset of YAML 1.2's core schema, with anchors and merge keys.
struct YAMLReader {
    private var builder: TreeBuilder
    private var anchors: [String: Node] = [:]
    /// The anchors of the arrays and objects that have not ended; empty texts for those without one.
    private var openAnchors: [String] = []
    private var documents = 0

    /// Whether libyaml is installed.
    static var isAvailable: Bool { errand_yaml_is_available() != 0 }

    /// Returns the outermost value, or reports why the document cannot be read.
    static func read(_ file: SourceFile, _ diagnostics: Diagnostics) -> Node? {
        var reader = YAMLReader(builder: TreeBuilder(file, diagnostics))
        file.text.withUnsafeBufferPointer { text in
            guard let parser = errand_yaml_open(text.baseAddress, text.count) else {
                reader.builder.stop("libyaml cannot be opened", .file, at: 0)
                return
            }
            defer { errand_yaml_close(parser) }
            var event = errand_yaml_event()
            while !reader.builder.isStopped {
                guard errand_yaml_next(parser, &event) != 0 else {
                    var offset = 0
                    let problem = errand_yaml_problem(parser, &offset).map { String(cString: $0) }
                    reader.builder.stop("this is not YAML: \(problem ?? "unknown problem")", .syntax, at: offset)
                    return
                }
                guard event.kind != errand_yaml_stream_end else { return }
                reader.receive(event)
            }
        }
        if reader.builder.root == nil, !reader.builder.isStopped {
            reader.builder.stop("the document is empty", .syntax, at: 0)
        }
        return reader.builder.isStopped ? nil : reader.builder.root
    }

    private mutating func receive(_ event: errand_yaml_event) {
        let offset = event.offset
        if builder.expectsKey, event.kind != errand_yaml_mapping_end {
            return receiveKey(event)
        }
        switch event.kind {
        case errand_yaml_document_start:
            documents += 1
            if documents > 1 { builder.stop("the file has more than one document", .syntax, at: offset) }
        case errand_yaml_alias:
            let name = Self.text(event.anchor)
            if let node = anchors[name] {
                builder.add(aliasOf: node, at: offset)
            } else {
                let reason = openAnchors.contains(name) ? "contains itself" : "does not exist"
                builder.stop("the anchor \"\(name)\" \(reason)", .syntax, at: offset)
            }
        case errand_yaml_scalar:
            let (content, written) = scalar(event)
            let node = builder.add(content, at: offset, written: written)
            if event.anchor != nil { anchors[Self.text(event.anchor)] = node }
        case errand_yaml_sequence_start, errand_yaml_mapping_start:
            let anchor = Self.text(event.anchor)
            openAnchors.append(anchor)
            anchors[anchor] = nil
            builder.begin(isObject: event.kind == errand_yaml_mapping_start, at: offset)
        case errand_yaml_sequence_end, errand_yaml_mapping_end:
            let node = event.kind == errand_yaml_mapping_end ? builder.endMerging() : builder.end()
            if let name = openAnchors.popLast(), !name.isEmpty { anchors[name] = node }
        default: break
        }
    }

    private mutating func receiveKey(_ event: errand_yaml_event) {
        switch event.kind {
        case errand_yaml_scalar:
            if event.anchor != nil {
                let (content, written) = scalar(event)
                anchors[Self.text(event.anchor)] =
                    Node(content, at: event.offset, in: builder.file, written: written)
            }
            builder.key(Self.text(event), at: event.offset)
        case errand_yaml_alias:
            let name = Self.text(event.anchor)
            guard let text = anchors[name]?.text else {
                return builder.stop("the key \"*\(name)\" is not the alias of a text", .syntax, at: event.offset)
            }
            builder.key(text, at: event.offset)
        default:
            builder.stop("a key must be a text", .syntax, at: event.offset)
        }
    }

    /// A value, and its text if that is not the one of the value.
    private func scalar(_ event: errand_yaml_event) -> (Node.Content, written: String?) {
        let text = Self.text(event)
        switch event.tag.map({ String(cString: $0) }) {
        case "tag:yaml.org,2002:str": return (.string(text), nil)
        case nil where event.is_plain == 0, "!": return (.string(text), nil)
        default:
            let content = YAMLScalar.content(of: text)
            switch content {
            case .number(text), .string, .null, .array, .object: return (content, nil)
            case .number, .bool: return (content, text)
            }
        }
    }

    private static func text(_ event: errand_yaml_event) -> String {
        String(decoding: UnsafeBufferPointer(start: event.text, count: event.length), as: UTF8.self)
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
}
