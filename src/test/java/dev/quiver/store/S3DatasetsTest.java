package dev.quiver.store;

import dev.quiver.store.blob.S3ProxyServer;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/// Several processes that share a bucket.
@Tag("long")
class S3DatasetsTest extends DatasetStoreContract {

  private static URI endpoint = URI.create("");

  @TempDir private Path folder;
  private final String bucket = S3ProxyServer.newBucket();

  @BeforeAll
  static void startTheStore() {
    endpoint = S3ProxyServer.endpoint();
  }

  @Override
  protected String location() {
    return endpoint.resolve("/" + bucket) + "#" + folder;
  }
}
