import Errand

final class PostsRequest: PlaceholderAPI, Request {
    init(user: Int) {
        super.init()
        path = "/posts"
        query = ["userId": user]
    }

    func start() -> Pipeline<[Post], BulletinError> {
        sendRequest().decode([Post].self).mapError { BulletinError($0) }
    }
}
