package dev.quiver.dataset;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The plans used last, up to a number of bytes.
///
/// Large ones are made one at a time, since making takes several times what is kept.
final class Plans {

  private static final int LARGE_BATCH_COUNT = 10_000;

  private final RecentlyUsed<Key, Plan> plans;
  private final Object largePlans = new Object();

  Plans(long maximumByteSize) {
    this.plans = new RecentlyUsed<>(maximumByteSize);
  }

  /// What makes a plan.
  interface Maker {
    Plan make() throws IOException;
  }

  /// The plan of a selection of a version, made when it is not known.
  ///
  /// @param selection no two that differ have the same
  Plan get(VersionSummary summary, String selection, Maker maker) throws IOException {
    Key key = new Key(summary.commitId(), summary.version(), selection);
    Plan known = plans.get(key);
    if (known != null) {
      return known;
    }
    if (summary.batches() < LARGE_BATCH_COUNT) {
      return keep(key, maker.make());
    }
    synchronized (largePlans) {
      @Nullable Plan meanwhile = plans.get(key);
      return meanwhile != null ? meanwhile : keep(key, maker.make());
    }
  }

  /// Bytes of all plans that are kept.
  long byteSize() {
    return plans.byteSize();
  }

  private Plan keep(Key key, Plan plan) {
    return plans.put(key, plan, plan.memoryByteSize() + key.selection().length());
  }

  private record Key(String commitId, long version, String selection) {}
}
