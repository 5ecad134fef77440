package dev.quiver.store;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/// Several processes that share a folder.
class FolderDatasetsTest extends DatasetStoreContract {

  @TempDir private Path folder;

  @Override
  protected String location() {
    return folder.toString();
  }
}
