package dev.quiver.sql.engine;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// Java objects that the engine holds, as numbers instead of addresses.
final class Handles {

  private final AtomicLong last = new AtomicLong();
  private final Map<Long, Object> objects = new ConcurrentHashMap<>();

  /// Returns the handle of an object, which is never 0. The engine must release it.
  long add(Object object) {
    long handle = last.incrementAndGet();
    objects.put(handle, object);
    return handle;
  }

  <T> T get(long handle, Class<T> type) {
    return type.cast(Objects.requireNonNull(objects.get(handle), "released handle"));
  }

  void release(long handle) {
    if (objects.remove(handle) instanceof BatchCursor cursor) {
      cursor.close();
    }
  }

  int size() {
    return objects.size();
  }
}
