package dev.quiver.store;

import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.S3ProxyServer;
import dev.quiver.store.blob.s3.S3BlobStore;
import java.io.IOException;
import java.nio.file.Path;

/// The bytes of writers in a bucket.
class BucketStoredBytesTest extends StoredBytesContract {

  @Override
  BlobStore open(Path folder) throws IOException {
    return S3BlobStore.open(S3ProxyServer.options(S3ProxyServer.newBucket(), folder, 1 << 20));
  }
}
