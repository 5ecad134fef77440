package dev.quiver.server.read;

import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.LruCache;
import dev.quiver.arrow.text.TextBlocks;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The lengths of texts, which are learned by rendering each once, and a count of what is rendered.
/// Shared by threads.
///
/// Texts are identified by their entity tags, so that a length never becomes stale.
public final class TextLengths {

  private final Limit text;
  private final Limit arrow;
  private final LruCache<String, TextBlocks> known;
  private final Duration patience;

  /// The texts whose lengths are being learned. Guards itself.
  private final Map<String, Shared> shared = new HashMap<>();

  private final Map<Purpose, Counters> counters = new EnumMap<>(Purpose.class);

  /// The purpose of a rendering.
  enum Purpose {
    /// A response with the whole text.
    RESPONSE,
    /// A response with a range of the text.
    RANGE,
    /// The length of the text.
    LENGTH
  }

  /// A rendering for a response.
  interface Stream {
    TextBlocks write(ByteSink sink) throws IOException;
  }

  private record Counters(Counter renderings, Counter bytes) {}

  /// A measurement, and the number of requests that hold it.
  private static final class Shared {

    private final TextMeasurement measurement;
    private int holders;

    Shared(TextMeasurement measurement) {
      this.measurement = measurement;
    }
  }

  /// @param text the limit on the bytes of a text
  /// @param arrow the limit on the bytes of Arrow data beyond which a text has no known length
  /// @param cacheByteSize the memory for lengths
  /// @param patience how long a response that renders a text may wait for its client, beyond half
  ///   of its time, before a request that needs the length renders the text itself
  public TextLengths(
      Limit text, Limit arrow, long cacheByteSize, Duration patience, MeterRegistry registry) {
    this.text = text;
    this.arrow = arrow;
    this.known = new LruCache<>(cacheByteSize);
    this.patience = patience;
    for (Purpose purpose : Purpose.values()) {
      String[] tags = {"purpose", purpose.name().toLowerCase(Locale.ROOT)};
      counters.put(
          purpose,
          new Counters(
              registry.counter("quiver.text.renderings", tags),
              registry.counter("quiver.text.rendered.bytes", tags)));
    }
  }

  /// Returns the limit on the bytes of a text.
  Limit text() {
    return text;
  }

  /// Returns the limit on the bytes of Arrow data beyond which a text has no known length.
  Limit arrow() {
    return arrow;
  }

  /// Returns the length of a text, or null if it is unknown.
  @Nullable TextBlocks known(String tag) {
    return known.get(tag);
  }

  /// Learns the length of a text.
  ///
  /// @param own renders the text, unless another request already does
  /// @return the length, or null if the client went away before
  @Nullable TextBlocks measure(String tag, TextMeasurement.Rendering own) throws IOException {
    Shared holder = hold(tag);
    try {
      TextBlocks blocks = known(tag);
      if (blocks == null) {
        blocks = holder.measurement.await(own);
        put(tag, blocks);
      }
      return blocks;
    } finally {
      release(tag, holder);
    }
  }

  /// Renders a text for a response, and keeps its length.
  ///
  /// @param sink the sink of the response
  void stream(String tag, ByteSink sink, Stream text) throws IOException {
    Shared holder = hold(tag);
    TextStream stream = new TextStream(sink);
    TextBlocks blocks = null;
    holder.measurement.begin(stream);
    try {
      blocks = text.write(stream);
      put(tag, blocks);
    } finally {
      holder.measurement.end(stream, blocks);
      release(tag, holder);
    }
  }

  private void put(String tag, @Nullable TextBlocks blocks) {
    if (blocks != null) {
      // A character has two bytes at most.
      known.put(tag, blocks, blocks.memoryByteSize() + 2L * tag.length());
    }
  }

  /// Counts the start of a rendering.
  void countRendering(Purpose purpose) {
    counters(purpose).renderings.increment();
  }

  /// Counts rendered bytes, whether or not they are sent.
  void countBytes(Purpose purpose, long byteCount) {
    counters(purpose).bytes.increment(byteCount);
  }

  private Counters counters(Purpose purpose) {
    Counters present = counters.get(purpose);
    if (present == null) {
      throw new IllegalArgumentException("Unknown purpose " + purpose);
    }
    return present;
  }

  private Shared hold(String tag) {
    synchronized (shared) {
      Shared holder = shared.computeIfAbsent(tag, _ -> new Shared(new TextMeasurement(patience)));
      holder.holders++;
      return holder;
    }
  }

  private void release(String tag, Shared holder) {
    synchronized (shared) {
      holder.holders--;
      if (holder.holders == 0) {
        shared.remove(tag);
      }
    }
  }
}
