package dev.quiver.store.file;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// The cumulative row counts of a file's batches, kept in the footer's metadata.
///
/// ```
/// Value --> {"record_batch_cum_len":[rows of the first batch, rows of the first two, …]}
/// ```
///
/// Polars invented this entry to find rows without reading every batch's metadata. Quiver uses it
/// for the same purpose.
public final class CumulativeRows {

  /// The key that Polars reads.
  static final String POLARS_KEY = "__POLARS_IPC_METADATA";

  /// The key for numbers beyond unsigned 32 bits. Polars rejects a file with such numbers under its
  /// own key, and ignores this one.
  static final String LARGE_KEY = "quiver.record_batch_cum_len";

  private static final long POLARS_MAXIMUM = 0xFFFFFFFFL;
  private static final String MEMBER = "record_batch_cum_len";
  private static final JsonFactory JSON = new JsonFactory();

  private long[] ends = new long[16];
  private int count;

  public int batchCount() {
    return count;
  }

  public long total() {
    return count == 0 ? 0 : ends[count - 1];
  }

  /// Returns the number of rows before a batch.
  ///
  /// @param index the index of the batch, or one past the last
  public long before(int index) {
    return index == 0 ? 0 : ends[index - 1];
  }

  /// Returns the index of the batch that contains a row.
  public int batchOf(long row) {
    Objects.checkIndex(row, total());
    int low = 0;
    int high = count - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ends[middle] <= row) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// Adds the rows of the next batch.
  public void add(long rows) {
    long end = Math.addExact(total(), rows);
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * count);
    }
    ends[count] = end;
    count++;
  }

  /// Adds the rows of the next batches.
  void addAll(CumulativeRows others) {
    addAll(others, 0, others.count);
  }

  /// Adds the rows of the next batches, which are a range of `others`.
  void addAll(CumulativeRows others, int start, int end) {
    for (int i = start; i < end; i++) {
      add(others.before(i + 1) - others.before(i));
    }
  }

  /// Returns `metadata` with these rows, which replace any that it declares.
  public Metadata in(Metadata metadata) {
    List<KeyValue> entries = new ArrayList<>(without(metadata).entries());
    entries.add(new KeyValue(total() > POLARS_MAXIMUM ? LARGE_KEY : POLARS_KEY, value()));
    return new Metadata(entries);
  }

  /// Returns `metadata` without its entries about rows.
  public static Metadata without(Metadata metadata) {
    return new Metadata(
        metadata.entries().stream()
            .filter(entry -> !entry.key().equals(POLARS_KEY) && !entry.key().equals(LARGE_KEY))
            .toList());
  }

  /// Returns the rows declared in a footer's metadata.
  ///
  /// @throws IOException if they are missing or invalid
  public static CumulativeRows of(Metadata metadata) throws IOException {
    ByteString value = metadata.get(POLARS_KEY);
    if (value == null) {
      value = metadata.get(LARGE_KEY);
    }
    if (value == null) {
      throw new IOException("Expected " + POLARS_KEY + " in the footer but found none");
    }
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), value.toByteArray())) {
      return parse(parser);
    } catch (JacksonException | ArithmeticException e) {
      throw new IOException(
          "Expected the cumulative rows of the batches in the footer but found no numbers", e);
    }
  }

  private static CumulativeRows parse(JsonParser parser) throws IOException {
    CumulativeRows rows = new CumulativeRows();
    boolean found =
        parser.nextToken() == JsonToken.START_OBJECT
            && MEMBER.equals(parser.nextName())
            && parser.nextToken() == JsonToken.START_ARRAY;
    while (found && parser.nextToken() == JsonToken.VALUE_NUMBER_INT) {
      rows.add(Math.subtractExact(parser.getLongValue(), rows.total()));
    }
    if (!found || parser.currentToken() != JsonToken.END_ARRAY) {
      throw new IOException("Expected " + MEMBER + " in the footer but found something else");
    }
    return rows;
  }

  private ByteString value() {
    StringBuilder json = new StringBuilder("{\"" + MEMBER + "\":[");
    for (int i = 0; i < count; i++) {
      json.append(i == 0 ? "" : ",").append(ends[i]);
    }
    return ByteString.of(json.append("]}").toString());
  }
}
