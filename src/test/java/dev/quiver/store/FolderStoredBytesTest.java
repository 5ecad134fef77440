package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.store.UnreliableStore.Operation;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.catalog.Writer;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.StoreKeys;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// The bytes of writers in a folder, and what it costs to know them.
class FolderStoredBytesTest extends StoredBytesContract {

  private static final long MUCH = 1 << 20;

  private int listings;
  private int manifestReads;

  @Override
  BlobStore open(Path folder) throws IOException {
    UnreliableStore watched = new UnreliableStore(FolderBlobStore.open(folder));
    watched.setFault(moment -> {
      if (moment.operation() == Operation.LIST && moment.key().equals(StoreKeys.DATA)) {
        listings++;
      }
      if (moment.operation() == Operation.OPEN && moment.key().startsWith("manifests/_x_/")) {
        manifestReads++;
      }
    });
    return watched;
  }

  private void assertCosts(int expectedListings, int expectedReads) {
    assertThat(listings).isEqualTo(expectedListings);
    assertThat(manifestReads).isEqualTo(expectedReads);
    listings = 0;
    manifestReads = 0;
  }

  @Test
  void nothingIsListedWithoutALimit() throws IOException {
    put("x", writer(ALICE, 0));
    put("a", Writer.SERVICE);
    assertThat(listings).isZero();
  }

  @Test
  void aListingReadsOnlyManifestsOfNewData() throws IOException {
    put("x", Writer.SERVICE);
    manifestReads = 0;
    put("a", writer(ALICE, MUCH));
    assertCosts(1, 1);
    put("b", writer(ALICE, MUCH));
    assertCosts(0, 0);
    clock.advance(Duration.ofHours(1));
    put("c", writer(ALICE, MUCH));
    assertCosts(1, 0);
  }

  @Test
  void dataWithoutAVersionIsSearchedForInNewManifests() throws IOException {
    put("x", Writer.SERVICE);
    put("x", Writer.SERVICE);
    put("a", writer(ALICE, MUCH));
    store.putIfAbsent(
        StoreKeys.newData(new DatasetName("x"), clock.instant()),
        MemorySegment.ofArray(new byte[100]));
    clock.advance(Duration.ofHours(1));
    listings = 0;
    manifestReads = 0;
    put("a", writer(ALICE, MUCH));
    assertCosts(1, 2);
    clock.advance(Duration.ofHours(1));
    put("a", writer(ALICE, MUCH));
    assertCosts(1, 0);
    put("x", Writer.SERVICE);
    manifestReads = 0;
    clock.advance(Duration.ofHours(1));
    put("a", writer(ALICE, MUCH));
    assertCosts(1, 1);
  }
}
