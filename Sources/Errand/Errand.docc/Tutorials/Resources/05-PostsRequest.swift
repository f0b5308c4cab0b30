import Errand

final class PostsRequest: PlaceholderAPI, Request {
    init(user: Int) {
        super.init()
        path = "/posts"
        query = ["userId": user]
    }

    func start() -> Pipeline<[Post], any Error> {
        sendRequest().decode([Post].self)
    }
}
