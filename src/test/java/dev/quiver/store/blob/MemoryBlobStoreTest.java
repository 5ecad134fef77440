package dev.quiver.store.blob;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// Tests that the in-memory store of the tests satisfies the contract.
class MemoryBlobStoreTest extends BlobStoreContract {

  @TempDir private Path folder;
  private BlobStore store;

  @BeforeEach
  void open() {
    store = new MemoryBlobStore(folder);
  }

  @Override
  protected BlobStore store() {
    return store;
  }
}
