"""Fills a server with locks: SET lock:<i> <36-byte token> and how it expires, pipelined. Used by the figures that
need many; each reply must be +OK."""

from comparison.errors import BenchError

CHUNK = 1_000  # its replies fit into any socket buffer, so nobody waits for the other
FIRST = 10_000_000  # eight digits, as loadgen has them
# Number of the lock twice; PX or PXAT and its time, each behind its length.
REQUEST = (b"*5\r\n$3\r\nSET\r\n$13\r\nlock:%d\r\n$36\r\n5f0c7a52-93de-4b6c-a1f4-77e1%d\r\n"
           b"$%d\r\n%b\r\n$%d\r\n%d\r\n")


def key(index):
    return b"lock:%d" % (FIRST + index)


def request(index, word, time_ms):
    number = FIRST + index
    return REQUEST % (number, number, len(word), word, len(str(time_ms)), time_ms)


def hold(client, indices, word, time_ms):
    """`word` is PX or PXAT, time_ms gives the number for an index."""
    for at in range(0, len(indices), CHUNK):
        chunk = indices[at:at + CHUNK]
        client.socket.sendall(b"".join(request(i, word, time_ms(i)) for i in chunk))
        replies = client.read_exactly(5 * len(chunk))
        if replies != b"+OK\r\n" * len(chunk):
            raise BenchError(f"SET {key(chunk[0]).decode()} and the next ones were answered {replies[:60]!r}")
