package dev.quiver.arrow.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LruCacheTest {

  private final LruCache<String, String> cache = new LruCache<>(10);

  @Test
  void evictsTheLeastRecentlyUsedEntries() {
    cache.put("a", "1", 4);
    cache.put("b", "2", 4);
    assertThat(cache.get("a")).isEqualTo("1");
    cache.put("c", "3", 4);
    assertThat(cache.get("b")).isNull();
    assertThat(cache.get("a")).isEqualTo("1");
    assertThat(cache.get("c")).isEqualTo("3");
    assertThat(cache.weight()).isEqualTo(8);
  }

  @Test
  void keepsTheEntryUsedLastHoweverHeavy() {
    cache.put("a", "1", 4);
    cache.put("b", "2", 1000);
    assertThat(cache.get("a")).isNull();
    assertThat(cache.get("b")).isEqualTo("2");
    cache.put("c", "3", 4);
    assertThat(cache.get("b")).isNull();
    assertThat(cache.weight()).isEqualTo(4);
  }

  @Test
  void doesNotCountReplacedOrRemovedEntries() {
    cache.put("a", "1", 9);
    cache.put("a", "2", 3);
    cache.put("b", "3", 7);
    assertThat(cache.get("a")).isEqualTo("2");
    cache.remove("b");
    cache.remove("unknown");
    assertThat(cache.get("b")).isNull();
    assertThat(cache.weight()).isEqualTo(3);
  }

  @Test
  void mergesAValueIntoThePresentOne() {
    cache.merge("a", "1", String::concat);
    cache.merge("a", "2", String::concat);
    assertThat(cache.get("a")).isEqualTo("12");
    assertThat(cache.weight()).isEqualTo(1);
  }

  @Test
  void loadsAnAbsentValueOnceAndCachesNoFailure() throws IOException {
    assertThatThrownBy(() ->
            cache.get(
                "a",
                false,
                () -> {
                  throw new IOException("unreadable");
                },
                String::length))
        .hasMessage("unreadable");
    assertThat(cache.get("a", false, () -> "four", String::length)).isEqualTo("four");
    assertThat(cache.get("a", false, () -> "other", String::length)).isEqualTo("four");
    assertThat(cache.weight()).isEqualTo(4);
  }

  @Test
  void loadsHeavyValuesOneAtATime() throws Exception {
    AtomicInteger loads = new AtomicInteger();
    AtomicInteger loading = new AtomicInteger();
    CountDownLatch start = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      Future<?>[] readers = new Future<?>[40];
      for (int i = 0; i < readers.length; i++) {
        String key = "key " + i % 5;
        readers[i] =
            threads.submit(() -> {
              start.await();
              return cache.get(
                  key,
                  true,
                  () -> {
                    assertThat(loading.incrementAndGet()).isEqualTo(1);
                    loads.incrementAndGet();
                    Thread.yield();
                    loading.decrementAndGet();
                    return key;
                  },
                  _ -> 1);
            });
      }
      start.countDown();
      for (int i = 0; i < readers.length; i++) {
        assertThat(readers[i].get()).isEqualTo("key " + i % 5);
      }
    }
    assertThat(loads).hasValue(5);
  }
}
