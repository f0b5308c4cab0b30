// The columns of each model. Columns with `isDetail` would make a table too wide.

extension User: Tabular {
    static var columns: [Column<User>] {
        [
            Column("id", \.id),
            Column("name", \.name),
            Column("username", \.username),
            Column("email", \.email),
            Column("city", \.address.city),
            Column("company", \.company.name),
            Column("motto", isDetail: true, \.company.catchPhrase),
            Column("street", isDetail: true) { "\($0.address.street), \($0.address.suite)" },
            Column("zip code", isDetail: true, \.address.zipcode),
            Column("phone", isDetail: true, \.phone),
            Column("website", isDetail: true, \.website),
        ]
    }
}

extension Post: Tabular {
    static var columns: [Column<Post>] {
        [
            Column("id", \.id), Column("user", \.userId), Column("title", \.title),
            Column("body", isDetail: true, \.body),
        ]
    }
}

extension Comment: Tabular {
    static var columns: [Column<Comment>] {
        [
            Column("id", \.id), Column("post", \.postId), Column("email", \.email), Column("name", \.name),
            Column("body", isDetail: true, \.body),
        ]
    }
}

extension Todo: Tabular {
    static var columns: [Column<Todo>] {
        [
            Column("id", \.id), Column("user", \.userId), Column("done") { $0.completed ? "yes" : "no" },
            Column("title", \.title),
        ]
    }
}

extension Album: Tabular {
    static var columns: [Column<Album>] {
        [Column("id", \.id), Column("user", \.userId), Column("title", \.title)]
    }
}

extension Photo: Tabular {
    static var columns: [Column<Photo>] {
        [
            Column("id", \.id), Column("album", \.albumId), Column("title", \.title), Column("url", \.url),
            Column("thumbnail", isDetail: true, \.thumbnailUrl),
        ]
    }
}

extension ResourceKind {
    /// The type of the members of this collection.
    var model: any (Resource & Tabular).Type {
        switch self {
        case .users: User.self
        case .posts: Post.self
        case .comments: Comment.self
        case .todos: Todo.self
        case .albums: Album.self
        case .photos: Photo.self
        }
    }
}
