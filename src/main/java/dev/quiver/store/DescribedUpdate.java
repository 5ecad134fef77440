package dev.quiver.store;

import dev.quiver.store.catalog.Catalog;
import dev.quiver.store.catalog.NextVersion;
import dev.quiver.store.catalog.VersionUpdate;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// An update whose version has what its upload says of it: the statement that computed its rows,
/// and its end.
record DescribedUpdate(VersionUpdate update, UploadOptions options, InstantSource clock)
    implements VersionUpdate {

  @Override
  public @Nullable NextVersion applyTo(Catalog.@Nullable OpenManifest newest) throws IOException {
    NextVersion next = update.applyTo(newest);
    if (next == null) {
      return null;
    }
    Instant before =
        newest != null && next.kind() == VersionKind.APPEND ? newest.summary().expiresAt() : null;
    return next.computedBy(options.lineage().get())
        .expiringAt(options.expiry().end(clock.instant(), before));
  }
}
