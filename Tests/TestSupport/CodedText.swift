package import Foundation

/// The same text in each content coding, made with zlib, libbrotli and libzstd.
package enum CodedText {
    package static let plain = Data((0..<40).map { "line \($0) of a text that compresses\n" }.joined().utf8)

    package static let gzip = decoded(
        """
        H4sIAAAAAAACA4XTwQ3CQBQD0TtV/BKwDQHKidAikBKC2D1QPqIB5j6nJ3t5PFvta7vVXKN9Ro37POq6ra9367313fILRIEpCAUHCo4UTBSc\
        KDhTcEEopkRLIaZQU8gp9BSCCkWFpEJTo6l5n2hqNDWaGk2NpkZTo6nRNGgaNA2fHk2DpkHToGnQNGiaf6Zfp5+u5UYFAAA=
        """)
    package static let zlib = decoded(
        """
        eNqF08ENwkAUA9E7VfwSsA0ByonQIpASgtg9UD6iAeY+pyd7eTxb7Wu71VyjfUaN+zzquq2vd+u99d3yC0SBKQgFBwqOFEwUnCg4U3BBKKZE\
        SyGmUFPIKfQUggpFhaRCU6OpeZ9oajQ1mhpNjaZGU6Op0TRoGjQNnx5Ng6ZB06Bp0DRomn+mX2c01XA=
        """)
    package static let rawDeflate = decoded(
        """
        hdPBDcJAFAPRO1X8ErANAcqJ0CKQEoLYPVA+ogHmPqcne3k8W+1ru9Vco31Gjfs86rqtr3frvfXd8gtEgSkIBQcKjhRMFJwoOFNwQSimREsh\
        plBTyCn0FIIKRYWkQlOjqXmfaGo0NZoaTY2mRlOjqdE0aBo0DZ8eTYOmQdOgadA0aJp/pl8=
        """)
    package static let brotli = decoded(
        """
        G0UFABwJNo52TXoWNkKlq3hIOsDm9RiuFUDK3iSI2Rzi4ACk4VESjSwKpKrSXiwO1brUO78g9A7Xp5EIRBKZQk1DS/dEzh8wmswWaxtbuoxl\
        MJrMFmsbW7pMZTCazBZrG9vqAQ==
        """)

    package static let zstandard = decoded(
        """
        KLUv/WRGBFUDAILEDhWQTQdgKQw7WS7o3Z3go5GUFFyfgxL///+/bdu23bZt2x5GQQzCXWDZWgY9jUJ4STleZMfERDGgOQsTKKgR8Ov/\
        G4AzSg8RNAT/P0Pw+QEnYX+llatM5SmlHCWUn3RykVL1MkKAqAb0c6z8
        """)

    /// The name and the encoded body, in each form that a body can have.
    package static let all = [
        ("gzip", gzip), ("x-gzip", gzip), ("GZIP", gzip), ("deflate", zlib), ("deflate", rawDeflate), ("br", brotli),
        ("gzip", gzip.prefix(0)),
    ]

    /// The codings that the libcurl transport decodes, without the empty body.
    package static let decodable = all.dropLast() + [("zstd", zstandard)]

    /// 1,051 bytes that expand to a megabyte of zeros. They can be repeated, because a gzip body may have several
    /// members.
    package static let megabyteOfZeros =
        Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3, 0xED, 0xC1, 0x31, 1, 0, 0, 0, 0xC2, 0xA0, 0xF5, 0x4F, 0x6D, 8, 0x5F])
        + [0xA0] + Data(count: 1_016) + [0x3E, 3, 0x1C, 0xEA, 0x38, 0xA7, 0, 0, 0x10, 0]

    private static func decoded(_ base64: String) -> Data {
        Data(base64Encoded: base64) ?? Data()
    }
}
