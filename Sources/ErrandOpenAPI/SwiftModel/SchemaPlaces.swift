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

    /// The name of a schema that is referred to: that of the component, the property or the parameter around it, or of
    /// its file. It is the name that the schema has where it stands.
    static func name(of node: Node) -> String {
        var parts: [String] = []
        var elements = 0
        var current = node
        while let key = current.key, let parent = current.parent {
            if let name = ownName(of: current, key, parent) {
                parts.insert(name, at: 0)
                break
            }
            switch key {
            case "items", "additionalProperties": elements += 1
            case _ where parent.key == "prefixItems": elements += 1
            case "schema", "content", "value", "properties", "prefixItems": break
            case _ where parent.key == "content": break
            default: parts.insert(key, at: 0)
            }
            current = parent
        }
        if current.parent == nil { parts.insert(current.file.plainName ?? "Value", at: 0) }
        return (0..<elements).reduce(parts.joined(separator: "-")) { name, _ in SwiftName.singular(name) }
    }

    /// The name of a part of a document; `nil` for a part that is named by what is around it.
    private static func ownName(of node: Node, _ key: String, _ parent: Node) -> String? {
        let operation = (parent.key == "responses" ? parent : node).parent
        switch (key, parent.key) {
        case ("requestBody", _):
            return operation?["operationId"]?.text.map { "\($0)-body" } ?? "body"
        case (_, "responses") where Int(key) != nil || key == "default" || key.uppercased().hasSuffix("XX"):
            return operation?["operationId"]?.text.map { "\($0)-response" } ?? "response"
        case (_, "parameters") where Int(key) != nil: return node["name"]?.text
        case (_, "properties"), (_, "schemas"), (_, "definitions"), (_, "$defs"): return key
        default:
            let structure: Set<String> = [
                "schema", "items", "properties", "allOf", "oneOf", "anyOf", "value", "additionalProperties",
                "prefixItems", "content",
            ]
            return structure.contains(key) || Int(key) != nil || parent.key == "content" ? nil : key
        }
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
        guard node.file !== rootFile, let name = node.file.plainName else { return .nothing }
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
