/// Where the types of schemas belong that no request and no property brings along.
struct SchemaPlaces {
    /// What is around a schema in its document.
    enum Surroundings {
        /// A schema that has a declaration, or is a component.
        case schema(Node)
        /// An operation, whose request has the type.
        case operation
        /// A part of the document with several users. The name is that of the type.
        case shared(name: String)
        case nothing
    }

    private let rootFile: SourceFile
    private let operations: Set<ObjectIdentifier>
    /// The names of the components that are only references to schemas of other files, by the places of these schemas.
    private let componentNames: [String: String]

    init(_ document: APIDocument) {
        rootFile = document.root.file
        operations = Set((document.operations + document.webhooks).map { ObjectIdentifier($0.node) })
        let places = document.schemas.compactMap { component in
            Self.placeInOtherFile(component.value).map { (place: $0, name: component.key) }
        }
        componentNames = Dictionary(places.map { ($0.place, $0.name) }, uniquingKeysWith: min)
    }

    /// The name of a schema that is referred to: the last part of its path, or the name of its file.
    static func name(of node: Node) -> String {
        let generic: Set<String> = ["schema", "items", "properties", "allOf", "oneOf", "anyOf", "value"]
        var node: Node? = node
        var parts: [String] = []
        while let current = node, let key = current.key {
            parts.insert(key, at: 0)
            if !generic.contains(key), Int(key) == nil { return parts.joined(separator: "-") }
            node = current.parent
        }
        return ([node?.file.plainName ?? "Value"] + parts).joined(separator: "-")
    }

    /// Whether a schema is a component that is only another file's schema, and has the same type.
    func isComponentOfOtherFile(_ node: Node) -> Bool {
        guard let place = Self.placeInOtherFile(node) else { return false }
        return componentNames[place] == node.key
    }

    /// The name of the component that is only a reference to this schema of another file.
    func componentName(of node: Node) -> String? {
        node.file === rootFile ? nil : componentNames[node.file.path + node.pointer]
    }

    /// Returns the nearest part of the document around a schema that a type can belong to.
    func surroundings(of node: Node, isDeclared: (Node) -> Bool) -> Surroundings {
        var current = node.parent
        while let parent = current {
            if isDeclared(parent) || parent.isComponent { return .schema(parent) }
            if operations.contains(ObjectIdentifier(parent)) { return .operation }
            if parent.parent?.parent?.key == "components", let key = parent.key, let kind = parent.parent?.key {
                let suffix = ["responses": "-response", "requestBodies": "-body"][kind] ?? ""
                return .shared(name: key.lowercased().hasSuffix(suffix.dropFirst()) ? key : key + suffix)
            }
            current = parent.parent
        }
        guard !node.isSynthetic, node.file !== rootFile, let name = node.file.plainName else { return .nothing }
        return .shared(name: name)
    }

    /// The file and the pointer that a schema refers to, if it is only a reference to another file.
    private static func placeInOtherFile(_ node: Node) -> String? {
        guard node.members.count == 1, let reference = References.reference(of: node) else { return nil }
        let (path, fragment) = References.parts(of: reference)
        return path == node.file.path ? nil : "\(path)#\(fragment)"
    }
}

extension SourceFile {
    /// The name without folders and extensions.
    fileprivate var plainName: String? {
        path.split(separator: "/").last?.split(separator: ".").first.map(String.init)
    }
}

extension Node {
    /// Whether this is one of the components' schemas.
    var isComponent: Bool { parent?.key == "schemas" && parent?.parent?.key == "components" }
}
