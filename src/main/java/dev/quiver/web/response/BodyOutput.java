package dev.quiver.web.response;

import dev.quiver.storage.Blob;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Where the bytes of a body leave the service. Every [IOException] is the client's.
sealed interface BodyOutput extends AutoCloseable
    permits ServletBodyOutput, ConnectionBodyOutput, ChunkedBodyOutput {

  /// Writes all of `sources`, after the head of the response when that was not sent.
  void write(ByteBuffer... sources) throws IOException;

  /// Writes the end of the body, which is whole with it. When nothing was written before, the
  /// response has its length.
  void writeLast(ByteBuffer source) throws IOException;

  /// Whether [#transfer] may move anything.
  default boolean transfers() {
    return false;
  }

  /// Moves bytes from a range of a blob without copying them into this process. What comes after a
  /// [#write]. Only what is waited for the client counts as that: the range may have to be fetched.
  ///
  /// @return how many, from the start of the range; -1 when they have to be read, be it to find out
  ///   what fails
  default long transfer(Blob blob, long byteOffset, long byteSize) throws IOException {
    return -1;
  }

  /// Ends the body, be it whole or not.
  @Override
  void close();

  /// How many bytes there are.
  static long remaining(ByteBuffer... sources) {
    return Arrays.stream(sources).mapToLong(ByteBuffer::remaining).sum();
  }
}
