package dev.quiver.arrow.parallel;

import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// A cache that evicts the least recently used entries once their weight passes a maximum. The
/// entry used last stays, however heavy it is. Shared by threads.
///
/// Caffeine, whose version Spring Boot manages, would not fit: it rejects an entry heavier than the
/// maximum, and evicts on another thread. It pays off where many threads contend for one cache;
/// here an entry saves a read of storage.
public final class LruCache<K, V> {

  private final long maximumWeight;
  private final Map<K, Entry<V>> entries = new LinkedHashMap<>(16, 0.75f, true);
  private final Object heavyLoads = new Object();
  private long weight;

  /// @param maximumWeight of all entries together: bytes, or a number of entries
  public LruCache(long maximumWeight) {
    this.maximumWeight = maximumWeight;
  }

  /// Loads an absent value.
  public interface Loader<V> {
    V load() throws IOException;
  }

  /// @return the value, or null if absent
  public synchronized @Nullable V get(K key) {
    Entry<V> entry = entries.get(key);
    return entry == null ? null : entry.value();
  }

  /// Returns the value of a key, and loads it if absent. Several threads may load the same value.
  ///
  /// @param heavy true to load one such value at a time, because loading takes several times the
  ///   memory of the value
  /// @param weigher weighs a loaded value
  public V get(K key, boolean heavy, Loader<V> loader, ToLongFunction<V> weigher)
      throws IOException {
    V present = get(key);
    if (present != null) {
      return present;
    }
    if (!heavy) {
      return load(key, loader, weigher);
    }
    synchronized (heavyLoads) {
      V loaded = get(key);
      return loaded != null ? loaded : load(key, loader, weigher);
    }
  }

  private V load(K key, Loader<V> loader, ToLongFunction<V> weigher) throws IOException {
    V value = loader.load();
    put(key, value, weigher.applyAsLong(value));
    return value;
  }

  /// Stores a value that weighs 1.
  public void put(K key, V value) {
    put(key, value, 1);
  }

  /// Stores a value, in place of an earlier one.
  public synchronized void put(K key, V value, long valueWeight) {
    Entry<V> before = entries.put(key, new Entry<>(value, valueWeight));
    weight += valueWeight - (before == null ? 0 : before.weight());
    Iterator<Entry<V>> eldest = entries.values().iterator();
    while (weight > maximumWeight && entries.size() > 1) {
      weight -= eldest.next().weight();
      eldest.remove();
    }
  }

  /// Stores a value that weighs 1, or the result of merging it into the present one.
  ///
  /// @param merger takes the present value first
  public synchronized void merge(K key, V value, BinaryOperator<V> merger) {
    V present = get(key);
    put(key, present == null ? value : merger.apply(present, value));
  }

  /// Removes a value, if present.
  public synchronized void remove(K key) {
    Entry<V> removed = entries.remove(key);
    weight -= removed == null ? 0 : removed.weight();
  }

  /// Returns the weight of all entries.
  public synchronized long weight() {
    return weight;
  }

  private record Entry<V>(V value, long weight) {}
}
