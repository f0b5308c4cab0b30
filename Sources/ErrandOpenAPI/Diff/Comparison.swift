/// Finds the changes between the clients of two versions of a document.
struct Comparison {
    private let old: Surface
    private let new: Surface
    /// The changes of declarations, by their keys.
    private var changes: [String: [Change]] = [:]

    /// Returns the changes, those with the largest impact first.
    static func changes(from old: ClientModel, to new: ClientModel) -> [Change] {
        var (oldNames, newNames) = (SurfaceNames(old), SurfaceNames(new))
        let renames = oldNames.rename(like: newNames)
        var comparison = Comparison(
            old: SurfaceBuilder.surface(of: old, oldNames), new: SurfaceBuilder.surface(of: new, newNames))
        comparison.compare()
        let first = SurfaceNames(old)
        for rename in renames {
            comparison.add(
                rename.new, .compile, first.shown(rename.old), "is named `\(newNames.shown(rename.new))` now",
                rename.places.old, rename.places.new)
        }
        for key in [SurfaceNames.api, SurfaceNames.service] where first.shown(key) != newNames.shown(key) {
            comparison.add(
                key, .compile, first.shown(key), "is named `\(newNames.shown(key))` now", old.document.root,
                new.document.root)
        }
        return comparison.changes.values.joined().sorted {
            $0.impact == $1.impact ? ($0.name, $0.message) < ($1.name, $1.message) : $0.impact > $1.impact
        }
    }

    private init(old: Surface, new: Surface) {
        self.old = old
        self.new = new
    }

    private mutating func add(
        _ key: String, _ impact: Impact, _ name: String, _ message: String, _ old: Node?, _ new: Node?
    ) {
        changes[key, default: []].append(
            Change(impact: impact, name: name, message: "`\(name)` \(message)", old: old?.place, new: new?.place))
    }

    // MARK: Declarations

    private mutating func compare() {
        for (key, item) in old.items where isKept(item.owner) {
            guard let other = new.items[key] else {
                if case .customType = item.kind { continue }
                if case .conformance(let name) = item.kind {
                    add(key, .compile, item.name, "no longer conforms to `\(name)`", item.node, nil)
                } else {
                    add(key, .compile, item.name, "is gone", item.node, nil)
                }
                continue
            }
            compare(key, item, other)
        }
        for (key, item) in new.items where old.items[key] == nil && isKept(item.owner) { addNew(key, item) }
        mergeParameters()
        compareOrders()
    }

    /// Whether both clients have a declaration, and of the same kind.
    private func isKept(_ owner: String?) -> Bool {
        guard let owner else { return true }
        guard let old = old.items[owner], let new = new.items[owner] else { return false }
        return old.kind.words == new.kind.words
    }

    private mutating func addNew(_ key: String, _ item: Surface.Item) {
        let parts = item.name.split(separator: ".").map(String.init)
        let (owner, name) = (parts.dropLast().joined(separator: "."), parts.last ?? "")
        switch item.kind {
        case .constant: add(key, .harmless, owner, "has a new constant: `\(name)`", nil, item.node)
        case .enumCase:
            let message = "has a new case: `\(name)`; a `switch` without `default` does not compile"
            add(key, .compile, owner, message, nil, item.node)
        case .parameter(_, isRequired: true, _):
            add(key, .compile, item.name, "is new and required", nil, item.node)
        case .conformance(let name): add(key, .harmless, item.name, "conforms to `\(name)` now", nil, item.node)
        case .type, .alias, .property, .parameter, .function: add(key, .harmless, item.name, "is new", nil, item.node)
        case .customType: break
        }
    }

    private mutating func compare(_ key: String, _ old: Surface.Item, _ new: Surface.Item) {
        let difference = difference(old.kind, new.kind)
        if let difference { add(key, difference.impact, new.name, difference.message, old.node, new.node) }
        for (fact, other) in zip(old.facts, new.facts) where fact.label == other.label {
            guard let impact = fact.impact(of: other) else { continue }
            changes[key, default: []].append(
                Change(
                    impact: impact, name: new.name, message: fact.sentence(new.name, other), old: old.node.place,
                    new: new.node.place))
        }
    }

    private func difference(
        _ old: Surface.Item.Kind, _ new: Surface.Item.Kind
    ) -> (impact: Impact, message: String)? {
        switch (old, new) {
        case (.alias(let old), .alias(let new)):
            return old == new ? nil : (.compile, "is another name of `\(new.shown)` now, not of `\(old.shown)`")
        case (.conformance(let old), .conformance(let new)):
            guard old != new else { return nil }
            // A cursor page is also a page.
            return (new == "CursorPage" ? .harmless : .compile, "conforms to `\(new)` now, not to `\(old)`")
        case (.property(let old), .property(let new)), (.constant(let old), .constant(let new)):
            return old == new ? nil : (.compile, Self.sentence(old, new))
        case (.function(let old), .function(let new)):
            return old == new ? nil : (.compile, "returns `\(new.shown)` now, not `\(old.shown)`")
        case (.enumCase(let old), .enumCase(let new)):
            guard old != new else { return nil }
            return (.compile, "has \(Self.value(new)) now, not \(Self.value(old))")
        case (.parameter(let old, let wasRequired, _), .parameter(let new, let isRequired, _)):
            if isRequired, !wasRequired { return (.compile, "is required now") }
            let isAccepted = old == new || new.full == old.full + "?"
            guard isAccepted else { return (.compile, "is `\(new.shown)` now, not `\(old.shown)`") }
            if wasRequired, !isRequired { return (.harmless, "is optional now") }
            return old == new ? nil : (.harmless, "accepts `nil` now")
        default:
            return old.words == new.words ? nil : (.compile, "is \(new.words) now, not \(old.words)")
        }
    }

    private static func sentence(_ old: Surface.TypeText, _ new: Surface.TypeText) -> String {
        if new.full == old.full + "?" { return "is optional now" }
        if old.full == new.full + "?" { return "is no longer optional" }
        return "is `\(new.shown)` now, not `\(old.shown)`"
    }

    private static func value(_ type: Surface.TypeText?) -> String {
        type.map { "a value of `\($0.shown)`" } ?? "no value"
    }

    // MARK: Parameters

    /// Keeps one change of a property and of the parameter of the initializer that sets it: the one that matters more.
    private mutating func mergeParameters() {
        for (key, own) in changes {
            guard case .parameter(_, _, let property?) = (new.items[key] ?? old.items[key])?.kind,
                let others = changes[property], let impact = own.map(\.impact).max(),
                let other = others.map(\.impact).max()
            else { continue }
            if impact <= other {
                changes[key] = nil
            } else if other == .harmless {
                changes[property] = nil
            }
        }
    }

    /// The impact of the changes of a parameter, or of the property that it sets.
    private func impact(ofParameter key: String) -> Impact {
        var keys = [key]
        if case .parameter(_, _, let property?) = new.items[key]?.kind { keys.append(property) }
        return keys.flatMap { changes[$0] ?? [] }.map(\.impact).max() ?? .harmless
    }

    private mutating func compareOrders() {
        for (function, keys) in old.parameters {
            guard let others = new.parameters[function] else { continue }
            // A parameter that is required or optional now has another place, which its own change says.
            let common = Set(keys).intersection(others).filter { impact(ofParameter: $0) < .compile }
            let order = others.filter(common.contains)
            guard let first = order.first, let item = new.items[first], let before = old.items[first],
                order != keys.filter(common.contains)
            else { continue }
            let labels = others.compactMap { $0.split(separator: "(").last?.dropLast(2) }
            let list = labels.map { "`\($0)`" }.joined(separator: ", ")
            let name = item.name.split(separator: "(").first.map(String.init) ?? item.name
            add(function, .compile, name, "has its parameters in another order: \(list)", before.node, item.node)
        }
    }
}

extension Surface.Item.Kind {
    /// What a declaration is.
    fileprivate var words: String {
        switch self {
        case .type(let words): words
        case .customType: "a custom type"
        case .alias(let type): "another name of `\(type.shown)`"
        case .conformance(let name): name
        case .property: "a property"
        case .constant: "a constant"
        case .parameter: "a parameter"
        case .enumCase: "a case"
        case .function: "a function"
        }
    }
}
