package dev.quiver.dataset.catalog;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Values used last, up to a number of bytes. The one used last is kept however large it is. Shared
/// by threads.
public final class LruCache<K, V> {

  private final long maximumByteSize;
  private final Map<K, Entry<V>> entries = new LinkedHashMap<>(16, 0.75f, true);
  private long byteSize;

  public LruCache(long maximumByteSize) {
    this.maximumByteSize = maximumByteSize;
  }

  public synchronized @Nullable V get(K key) {
    Entry<V> entry = entries.get(key);
    return entry == null ? null : entry.value();
  }

  /// Keeps a value.
  ///
  /// @param valueByteSize bytes of memory that it takes
  /// @return the value
  public synchronized V put(K key, V value, long valueByteSize) {
    Entry<V> before = entries.put(key, new Entry<>(value, valueByteSize));
    byteSize += valueByteSize - (before == null ? 0 : before.byteSize());
    Iterator<Entry<V>> eldest = entries.values().iterator();
    while (byteSize > maximumByteSize && entries.size() > 1) {
      byteSize -= eldest.next().byteSize();
      eldest.remove();
    }
    return value;
  }

  /// Bytes of all values that are kept.
  public synchronized long byteSize() {
    return byteSize;
  }

  private record Entry<V>(V value, long byteSize) {}
}
