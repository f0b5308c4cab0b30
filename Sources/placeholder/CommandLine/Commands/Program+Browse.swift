import Errand

extension Program {
    /// Shows a collection page by page; the next page is fetched while the user reads this one.
    func browse<Model: Resource & Tabular>(
        _ model: Model.Type, pageSize: Int, on service: APIService<any Error>
    ) async throws {
        let style = PaginationStyle.pageNumber(size: pageSize, pageName: "_page", sizeName: "_limit")
        let pages = Pages(style, prefetch: true) { service.send(PageRequest<Model>($0)) }
        var iterator = pages.makeAsyncIterator()
        var shown = 0
        // On a terminal, the user should see the page before the prompt.
        var isWanted = input.isTerminal
        if !isWanted { isWanted = await nextIsWanted() }
        while isWanted, let page = try await iterator.next() {
            // Written at once, because the request of the next page may be logged at any moment.
            out.line("\(Table(rows: page.members).text)\n\(place(of: page, after: shown))")
            shown += page.members.count
            if shown == page.total { return }
            if input.isTerminal { errors.line("Return for the next page, q to end.") }
            isWanted = await nextIsWanted()
        }
        if shown == 0, !input.isTerminal { errors.line("A line of the input shows a page, and there was none.") }
    }

    private func nextIsWanted() async -> Bool {
        guard let line = await input.line() else { return false }
        return !line.lowercased().hasPrefix("q")
    }

    /// The position of the members: `11 to 20 of 100 posts`.
    private func place<Model>(of page: ListPage<Model>, after shown: Int) -> String {
        let total = page.total.map { " of \($0)" } ?? ""
        return "\(shown + 1) to \(shown + page.members.count)\(total) \(Model.kind)"
    }
}
