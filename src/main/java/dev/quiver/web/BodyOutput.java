package dev.quiver.web;

import dev.quiver.storage.Blob;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Where the bytes of a body leave the service. Every [IOException] is the client's.
sealed interface BodyOutput extends AutoCloseable permits ServletBodyOutput, ConnectionBodyOutput {

  /// Writes all of `source`, after the head of the response when that was not sent.
  void write(ByteBuffer source) throws IOException;

  /// Whether [#transfer] may move anything.
  boolean transfers();

  /// Moves bytes from a range of a blob without copying them into this process. What comes after a
  /// [#write].
  ///
  /// @return how many, from the start of the range; -1 when they have to be read, be it to find out
  ///   what fails
  long transfer(Blob blob, long byteOffset, long byteSize) throws IOException;

  /// Ends the body, be it whole or not.
  @Override
  void close();
}
