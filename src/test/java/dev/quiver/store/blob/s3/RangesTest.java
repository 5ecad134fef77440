package dev.quiver.store.blob.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.StoreRequests;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/// Tests that a response contains the requested bytes and that they end up in the correct place.
class RangesTest extends WatchedBucket {

  /// Runs with a cache and without one.
  @ParameterizedTest
  @ValueSource(ints = {100, 10})
  void rejectsAStoreThatIgnoresRanges(int cacheMebibytes) throws IOException {
    MemorySegment content = put("data/a", 20);
    MemorySegment small = random("small", 1).asSlice(0, 1000);
    writer.putIfAbsent("data/small", small);
    S3BlobStore store = open(cacheMebibytes);
    server.ignoreRanges();
    assertHolds(store, "data/small", small);
    try (Blob blob = store.open("data/a");
        Arena arena = Arena.ofConfined()) {
      assertHolds(blob, content, 0, MEBIBYTE);
      assertThatThrownBy(() -> blob.read(8 * MEBIBYTE, MemorySegment.ofArray(new byte[10])))
          .hasMessage("Expected bytes from 8388608 on but found those from 0 on at key data/a");
      assertThatThrownBy(() -> blob.map(16 * MEBIBYTE, 10, arena))
          .hasMessage("Expected bytes from 16777216 on but found those from 0 on at key data/a");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes 5-9", "bytes 5-9/*", "bytes */10", "rows 5-9/10", ""})
  void rejectsAContentRangeThatIsNotInBytes(String header) {
    GetObjectResponse response =
        GetObjectResponse.builder().contentRange(header).contentLength(5L).build();
    assertThatThrownBy(() -> ContentRange.of(response, 5, "data/a"))
        .hasMessage("Expected a range of bytes but found \"" + header + "\" at key data/a");
  }

  /// The sink may have consumed part of the bytes, so repeating them would duplicate that part.
  @Test
  void failedSinkReceivesNothingMore() throws IOException {
    put("data/a", 20);
    Bucket bucket = new Bucket(options(100), new BlobIdentityCache(), StoreRequests.NONE);
    BlobIdentity identity = bucket.ranges().start("data/a", 10).identity();
    server.take("GET");
    IOException full = new IOException("No space left on device");
    AtomicInteger received = new AtomicInteger();
    ByteSink sink =
        bytes -> {
          if (received.incrementAndGet() == 3) {
            throw full;
          }
        };
    assertThatThrownBy(
            () -> bucket.ranges().read("data/a", identity, MEBIBYTE, 10 * MEBIBYTE, sink))
        .isSameAs(full);
    assertThat(received.get()).isEqualTo(3);
    assertThat(server.take("GET")).isEqualTo(1);
    bucket.close();
  }
}
