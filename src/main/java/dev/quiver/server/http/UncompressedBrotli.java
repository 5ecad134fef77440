package dev.quiver.server.http;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/// A writer of Brotli data that is not compressed: RFC 7932.
///
/// ```text
/// Data  → 0x0C Block* 0x03
/// Block → Head Content     Head: 0, 00, the content length - 1 in 16 bits, 1, 0000; lowest bit first
/// ```
///
/// The first byte holds the window size (16 bits) and an empty meta-block of metadata, so that
/// every other meta-block starts at a byte. The last one is an empty last meta-block (§9.2).
final class UncompressedBrotli extends FilterOutputStream {

  /// The most that four nibbles can declare.
  private static final int BLOCK_BYTES = 1 << 16;

  private static final int START = 0x0C;
  private static final int END = 0x03;

  /// The bit that declares uncompressed content.
  private static final int UNCOMPRESSED = 1 << 19;

  private boolean started;
  private boolean ended;

  UncompressedBrotli(OutputStream output) {
    super(output);
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] content, int offset, int count) throws IOException {
    start();
    for (int done = 0; done < count; done += BLOCK_BYTES) {
      int byteSize = Math.min(BLOCK_BYTES, count - done);
      int head = UNCOMPRESSED | (byteSize - 1) << 3;
      out.write(head);
      out.write(head >> 8);
      out.write(head >> 16);
      out.write(content, offset + done, byteSize);
    }
  }

  private void start() throws IOException {
    if (!started) {
      out.write(START);
      started = true;
    }
  }

  @Override
  public void close() throws IOException {
    if (!ended) {
      ended = true;
      start();
      out.write(END);
    }
    super.close();
  }
}
