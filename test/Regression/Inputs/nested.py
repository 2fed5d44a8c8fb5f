"""Prints an ONNX model of N branches, one inside of the other: nested.py N > FILE."""

import sys


def varint(number):
    data = b""
    while number >= 0x80:
        data += bytes([number & 0x7F | 0x80])
        number >>= 7
    return data + bytes([number])


def field(number, payload):
    return bytes([number << 3 | 2]) + varint(len(payload)) + payload


def main():
    # What stands before each graph, from the inside out; its length is all that the
    # next one needs to know.
    prefixes, size = [], 0
    for _ in range(int(sys.argv[1])):
        prefix = field(1, b"then_branch") + b"\x32" + varint(size)
        size += len(prefix)
        prefix = field(4, b"If") + b"\x2a" + varint(size) + prefix
        size = size + len(field(4, b"If")) + 1 + len(varint(size))
        prefix = b"\x0a" + varint(size) + prefix
        size += 1 + len(varint(size))
        prefixes.append(prefix)
    graph = b"".join(reversed(prefixes))
    assert len(graph) == size
    sys.stdout.buffer.write(b"\x08\x08" + field(7, graph) + field(8, b"\x10\x14"))


if __name__ == "__main__":
    main()
