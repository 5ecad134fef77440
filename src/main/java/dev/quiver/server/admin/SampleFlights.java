package dev.quiver.server.admin;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.SegmentAllocator;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The crewed space flights of the United States until 1975 as three record batches: Mercury,
/// Gemini, and all flights of an Apollo spacecraft.
///
/// The rows are in `sample.txt`, one per line; an empty line ends a batch.
final class SampleFlights {

  private static final List<String> PROGRAMS =
      List.of("Mercury", "Gemini", "Apollo", "Skylab", "Apollo-Soyuz");
  private static final ArrowType UTF8 = new ArrowType.Utf8();
  private static final ArrowType FLOAT64 = new ArrowType.FloatingPoint(Precision.DOUBLE);

  static final Schema SCHEMA =
      Schema.of(
              Field.of("mission", false, UTF8),
              Field.of("program", false, UTF8)
                  .withDictionary(
                      new DictionaryEncoding(0, new ArrowType.Int(8, true), /* ordered= */ false)),
              Field.of("launched", false, new ArrowType.Timestamp(TimeUnit.SECOND, "UTC")),
              Field.of("minutes", false, new ArrowType.Int(32, true)),
              Field.of("call_sign", true, UTF8),
              Field.of("crew", false, new ArrowType.List(), Field.of("item", false, UTF8)),
              Field.of(
                  "landing",
                  true,
                  new ArrowType.Struct(),
                  Field.of("lander", false, UTF8),
                  Field.of("site", false, UTF8),
                  Field.of("latitude", false, FLOAT64),
                  Field.of("longitude", false, FLOAT64),
                  Field.of("moonwalks", false, new ArrowType.Int(8, true))))
          .withMetadata(
              Metadata.of(
                  KeyValue.of(
                      "description",
                      "Crewed flights of Mercury, Gemini, Apollo, Skylab and Apollo-Soyuz. Launch"
                          + " and length are to the nearest minute, places on the Moon to a"
                          + " hundredth of a degree, north and east positive.")));

  private SampleFlights() {}

  /// Returns the batches, in buffers of `allocator`.
  static List<RecordBatch> batches(SegmentAllocator allocator) throws IOException {
    ArrayBuilder builder = new ArrayBuilder(allocator, Map.of(0L, PROGRAMS));
    List<RecordBatch> batches = new ArrayList<>();
    for (String lines : text().split("\n\n")) {
      List<List<@Nullable Object>> columns =
          SCHEMA.fields().stream()
              .map(_ -> (List<@Nullable Object>) new ArrayList<@Nullable Object>())
              .toList();
      lines.lines().filter(line -> !line.startsWith("#")).forEach(line -> add(line, columns));
      batches.add(builder.recordBatch(SCHEMA, columns.getFirst().size(), columns));
    }
    return batches;
  }

  private static String text() throws IOException {
    try (InputStream resource = SampleFlights.class.getResourceAsStream("sample.txt")) {
      return new String(Objects.requireNonNull(resource).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void add(String line, List<List<@Nullable Object>> columns) {
    String[] cells = Arrays.stream(line.split("\\|", -1)).map(String::strip).toArray(String[]::new);
    columns.get(0).add(cells[0]);
    columns.get(1).add(cells[1]);
    columns.get(2).add(Instant.parse(cells[2]).getEpochSecond());
    columns.get(3).add(Duration.parse(cells[3]).toMinutes());
    columns.get(4).add(cells[4].isEmpty() ? null : cells[4]);
    columns.get(5).add(List.of(cells[5].split(", ")));
    columns.get(6).add(cells[6].isEmpty() ? null : landing(cells[6].split(", ")));
  }

  private static List<Object> landing(String[] parts) {
    return List.of(
        parts[0],
        parts[1],
        Double.parseDouble(parts[2]),
        Double.parseDouble(parts[3]),
        Byte.parseByte(parts[4]));
  }
}
