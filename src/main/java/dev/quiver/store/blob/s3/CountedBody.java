package dev.quiver.store.blob.s3;

import dev.quiver.store.blob.StoreRequests;
import java.io.FilterInputStream;
import java.io.IOException;
import software.amazon.awssdk.http.AbortableInputStream;

/// The body of a response whose bytes are reported to an observer as they are read.
final class CountedBody extends FilterInputStream {

  private final StoreRequests requests;

  private CountedBody(AbortableInputStream body, StoreRequests requests) {
    super(body);
    this.requests = requests;
  }

  static AbortableInputStream of(AbortableInputStream body, StoreRequests requests) {
    return AbortableInputStream.create(new CountedBody(body, requests), body);
  }

  @Override
  public int read() throws IOException {
    int read = super.read();
    if (read >= 0) {
      requests.received(1);
    }
    return read;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int count = super.read(buffer, offset, length);
    if (count > 0) {
      requests.received(count);
    }
    return count;
  }
}
