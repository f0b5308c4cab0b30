internal import ErrandJSON

/// Reads a JSON document into a tree.
enum JSONReader {
    /// Returns the outermost value, or reports why the document cannot be read.
    static func read(_ file: SourceFile, _ diagnostics: Diagnostics) -> Node? {
        var builder = TreeBuilder(file, diagnostics)
        do throws(JSONReadingError) {
            // The tokenizer counts the depth from 1 as well.
            try file.text.withUnsafeBufferPointer { text throws(JSONReadingError) in
                try readJSONEvents(of: text, depth: TreeBuilder.maximumDepth) { event, offset in
                    guard !builder.isStopped else { return }
                    switch event {
                    case .null: builder.add(.null, at: offset)
                    case .bool(let value): builder.add(.bool(value), at: offset)
                    case .number(let text): builder.add(.number(text), at: offset)
                    case .string(let text): builder.add(.string(text), at: offset)
                    case .key(let key): builder.key(key, at: offset)
                    case .beginArray: builder.begin(isObject: false, at: offset)
                    case .beginObject: builder.begin(isObject: true, at: offset)
                    case .end: builder.end()
                    }
                }
            }
        } catch {
            builder.stop("this is not JSON: \(error.reason)", .syntax, at: error.offset)
        }
        return builder.isStopped ? nil : builder.root
    }
}
