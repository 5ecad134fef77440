package dev.quiver.store.version;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// The damages of stored bytes that reads of this process found, each time that one did. Shared by
/// threads.
public final class Damage {

  public static final Damage PROCESS = new Damage();

  private static final Logger LOG = System.getLogger(Damage.class.getName());

  private final LongAdder count = new LongAdder();

  private Damage() {}

  /// Logs and counts a damage.
  ///
  /// @param version the version that was read, such as `cities@3`
  /// @param byteOffset the start of the range of the blob that is damaged somewhere
  public DamagedBlobException found(String version, String blob, long byteOffset) {
    return found(version, blob, byteOffset, /* cause= */ null);
  }

  /// Logs and counts a damage that was found by a failure to read bytes.
  public DamagedBlobException found(
      String version, String blob, long byteOffset, @Nullable Throwable cause) {
    DamagedBlobException damage = new DamagedBlobException(version, blob, byteOffset, cause);
    count.increment();
    LOG.log(Level.ERROR, damage.getMessage());
    return damage;
  }

  public long count() {
    return count.sum();
  }
}
