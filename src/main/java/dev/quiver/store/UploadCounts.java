package dev.quiver.store;

import dev.quiver.store.file.WrittenFile;
import java.util.concurrent.atomic.LongAdder;

/// The uploads that were stored since the start of the process. Shared by threads.
public final class UploadCounts {

  private final LongAdder uploads = new LongAdder();
  private final LongAdder rows = new LongAdder();

  void add(WrittenFile uploaded) {
    uploads.increment();
    rows.add(uploaded.rows().total());
  }

  public long uploads() {
    return uploads.sum();
  }

  public long rows() {
    return rows.sum();
  }
}
