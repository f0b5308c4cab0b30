extension TypeWriter {
    /// What the file of a declaration needs of the runtime.
    enum Import: Comparable {
        case nothing
        /// Only within functions.
        case hidden
        /// Only a conformance, for which the compiler accepts `public import` but not `package import`.
        case conformance
        case visible
    }

    /// What the file of a request needs: more than conformances, unless it is only a stream.
    func importNeeded(by request: RequestModel) -> Import {
        guard request.isOnlyStream, request.stream.map({ !isImported($0.type) }) ?? true,
            !request.parameters.contains(where: { isImported($0.type) })
        else { return .visible }
        let inner = (nested[.request(request.index)] ?? []).map { importNeeded(by: $0) }
        return inner.reduce(.conformance, max)
    }

    func importNeeded(by declaration: Declaration) -> Import {
        var needed = Import.nothing
        switch declaration.content {
        // A struct of its branches, which are types of the client.
        case .union(let union) where union.isCombined: break
        case .union, .errors: return .visible
        case .enumeration(let list):
            guard list.kind != .mixed else { return .visible }
            needed = .conformance
        case .pending: break
        case .alias(let type): if isImported(type) { return .visible }
        case .structure(let structure):
            for property in structure.properties {
                let isNullable = property.isNullable && property.type != .json && declaration.isSent
                if isImported(property.type) || isNullable { return .visible }
                if property.isIndirect { needed = max(needed, .hidden) }
            }
            if let additional = structure.additional {
                if isImported(additional) { return .visible }
                needed = max(needed, .hidden)
            }
        }
        for inner in nested[.declaration(declaration.id)] ?? [] { needed = max(needed, importNeeded(by: inner)) }
        return needed
    }

    /// The modules of the custom types that the declarations in a type's file name.
    func modules(neededBy declaration: Declaration) -> Set<String> {
        (nested[.declaration(declaration.id)] ?? []).reduce(modules(of: declaration.parts)) {
            $0.union(modules(neededBy: $1))
        }
    }

    /// The modules of the custom types that the declarations in a request's file name.
    func modules(neededBy request: RequestModel) -> Set<String> {
        var request = request
        // Only the body of a property names the type of error documents.
        request.errorType = nil
        return (nested[.request(request.index)] ?? []).reduce(modules(of: request.sentTypes + request.receivedTypes)) {
            $0.union(modules(neededBy: $1))
        }
    }

    /// The modules of the custom types in some types.
    func modules(of types: [SwiftType]) -> Set<String> {
        let modules = types.flatMap(\.declarations).compactMap { client.types.declarations[$0].custom?.type.module }
        return Set(modules).subtracting([client.options.module])
    }

    /// Whether a type, or the one that it is another name of, is not one of the standard library or of the client.
    private func isImported(_ type: SwiftType) -> Bool {
        switch type {
        case .string, .bool, .int, .int64, .uint64, .double: return false
        case .decimal, .date, .calendarDate, .uuid, .url, .data, .json, .upload, .nullable: return true
        case .array(let type), .dictionary(let type), .optional(let type): return isImported(type)
        case .declared:
            // Within a package, no declaration counts as a use of the import for another name of a type.
            guard client.options.access != "package" else { return false }
            switch client.types.aliased(type) {
            // The compiler looks through another name of a type, but not of an array of them.
            case .declared, .array, .dictionary: return false
            case let aliased: return isImported(aliased)
            }
        }
    }
}

extension RequestModel.Stream {
    fileprivate var type: SwiftType {
        switch self {
        case .events(let type?), .lines(let type): type
        // Types of Errand and Foundation.
        case .events(nil), .parts, .bytes: .data
        }
    }
}
