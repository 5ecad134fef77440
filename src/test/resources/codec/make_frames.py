"""Makes the frames in this folder, which PyarrowFramesTest reads: python make_frames.py (pyarrow 25.0.1).

Arrow C++ links the blocks of LZ4 frames over 64 KiB, and writes neither content size nor checksums.
"""

import pyarrow


def text(rows):
    return "".join(f"row {i} of {i * i % 1000}\n" for i in range(rows)).encode()


def noise(size):
    state, result = 1, bytearray()
    for _ in range(size):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        result.append(state >> 16 & 0xFF)
    return bytes(result)


CONTENTS = {
    "text": text(20_000),
    "short-text": text(100),
    "noise": noise(100_000),
    "zeros": bytes(1_000_000),
    "mixed": text(5_000) + noise(70_000) + text(5_000) + bytes(200_000),
}

for name, content in CONTENTS.items():
    for codec in ("lz4", "zstd"):
        with open(f"{name}.{codec}", "wb") as file:
            file.write(pyarrow.compress(content, codec=codec, asbytes=True))
