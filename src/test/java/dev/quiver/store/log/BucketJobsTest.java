package dev.quiver.store.log;

import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.S3ProxyServer;
import dev.quiver.store.blob.s3.S3BlobStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/// Jobs of two services over one bucket, each with its own cache.
class BucketJobsTest extends JobsTest {

  private final String bucket = S3ProxyServer.newBucket();
  private final List<S3BlobStore> stores = new ArrayList<>();

  @TempDir private Path caches;

  @Override
  BlobStore store() throws IOException {
    Path cache = Files.createTempDirectory(caches, "cache");
    S3BlobStore store = S3BlobStore.open(S3ProxyServer.options(bucket, cache, 1 << 20));
    stores.add(store);
    return store;
  }

  @AfterEach
  void closeStores() throws IOException {
    for (S3BlobStore store : stores) {
      store.close();
    }
  }
}
