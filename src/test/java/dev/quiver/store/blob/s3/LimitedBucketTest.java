package dev.quiver.store.blob.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.LimitedBlobStore;
import dev.quiver.store.blob.StorageFullException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/// Tests the requests that a limit on a bucket causes.
class LimitedBucketTest extends WatchedBucket {

  @Test
  void addsUpExistingBlobsFromTheListing() throws IOException {
    for (int i = 0; i < 5; i++) {
      writer.putIfAbsent("data/" + i, random("data", 1).asSlice(0, 1000));
    }
    put("data/large", 3);
    S3BlobStore bucket = open(100);
    BlobStore store = LimitedBlobStore.of(bucket, new Limit("storage-bytes", 5000 + 4 * MEBIBYTE));
    assertThat(server.take("GET")).isEqualTo(1);
    assertThat(server.take("HEAD")).isZero();
    assertThat(files("whole")).isEmpty();
    assertThatThrownBy(() -> store.putIfAbsent("data/b", random("data", 2)))
        .isInstanceOf(StorageFullException.class);
    server.take("HEAD");
    assertThat(store.delete("data/large")).isTrue();
    assertThat(server.take("GET")).isEqualTo(1);
    assertThat(server.take("HEAD")).isEqualTo(1);
    assertThat(store.delete("data/large")).isFalse();
    assertThat(store.putIfAbsent("data/b", random("data", 4))).isTrue();
    assertThatThrownBy(() -> store.putIfAbsent("data/c", random("data", 1)))
        .isInstanceOf(StorageFullException.class);
  }
}
