package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.arrow.array.RandomData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyCodecs;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.MessageReader;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.transform.RowRange;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests that split, coalesced and recompressed batches of any shape keep their values, are valid,
/// and round-trip in each codec. A failure names its seed.
@Tag("random")
class TransformedDataTest {

  private static final int SEED_COUNT = 400;
  private static final int DEPTH = 3;
  private static final long EVERYTHING = Long.MAX_VALUE / 2;

  private static SegmentAllocator dirty(Arena arena) {
    return (byteSize, alignment) -> arena.allocate(byteSize, alignment).fill((byte) 0xA5);
  }

  @Test
  void splitsAndRecombinesABatch() throws IOException {
    int partCount = 0;
    for (int seed : Trials.seeds(SEED_COUNT)) {
      try (Arena arena = Arena.ofConfined()) {
        RandomData data = new RandomData(seed);
        Schema schema = data.schema(DEPTH);
        Random random = new Random(seed);
        var values = Transformed.values(schema, data, random.nextInt(300));
        RecordBatch batch = Transformed.batch(schema, data, seed, values, arena);
        Written split = Transformed.split(batch, 1 + random.nextInt(6000), dirty(arena));
        partCount += split.batches().size();
        for (RecordBatch part : split.batches()) {
          Validation.assertValid(part);
          assertThat(RowRange.all(part).byteSize(part))
              .as("byte size of seed " + seed)
              .isEqualTo(
                  EncodedBody.of(part.length(), part.columns(), Codec.NONE, arena).byteSize());
        }
        Codec codec = Codec.values()[seed % Codec.values().length];
        Decoded.ofStream(split.stream(codec)).assertHolds(split.expected(), "split seed " + seed);
        Decoded.ofFile(split.file(codec)).assertHolds(split.expected(), "split seed " + seed);

        List<RecordBatch> coalesced =
            Transformed.coalesce(split.batches(), EVERYTHING, dirty(arena));
        assertThat(coalesced).hasSize(1);
        assertHolds(coalesced, List.of(values), "coalesced seed " + seed, codec);
      }
    }
    assertThat(partCount).isGreaterThan(Trials.of(2 * SEED_COUNT));
  }

  @Test
  void combinesBatchesOfDifferentShapes() throws IOException {
    for (int seed : Trials.seeds(SEED_COUNT)) {
      try (Arena arena = Arena.ofConfined()) {
        RandomData data = new RandomData(seed);
        // Each batch has its own dictionaries here.
        Schema schema =
            Schema.of(
                data.schema(DEPTH).fields().stream()
                    .filter(field -> !usesDictionary(field))
                    .toArray(Field[]::new));
        List<RecordBatch> batches = new ArrayList<>();
        List<List<@Nullable Object>> all = new ArrayList<>();
        schema.fields().forEach(_ -> all.add(new ArrayList<>()));
        for (int i = 0; i < 4; i++) {
          var values = Transformed.values(schema, data, new Random(seed + i).nextInt(20));
          batches.add(Transformed.batch(schema, data, seed + i, values, arena));
          for (int column = 0; column < values.size(); column++) {
            all.get(column).addAll(values.get(column));
          }
        }
        List<RecordBatch> coalesced = Transformed.coalesce(batches, EVERYTHING, dirty(arena));
        assertThat(coalesced).hasSize(1);
        Codec codec = Codec.values()[seed % Codec.values().length];
        assertHolds(coalesced, List.of(all), "seed " + seed, codec);
      }
    }
  }

  @Test
  void recompressesBodiesBetweenAllCodecs() throws IOException {
    for (int seed : Trials.seeds(SEED_COUNT / 4)) {
      try (Arena arena = Arena.ofConfined()) {
        RandomData data = new RandomData(seed);
        Schema schema = data.schema(DEPTH);
        var values = Transformed.values(schema, data, new Random(seed).nextInt(300));
        Written written =
            Transformed.split(
                Transformed.batch(schema, data, seed, values, arena), 20_000, dirty(arena));
        Codec from = Codec.values()[seed % Codec.values().length];
        assertRecompressed(written.stream(from), written.expected(), "seed " + seed);
      }
    }
  }

  static Stream<GoldenCase> modern() {
    return GoldenCase.modern();
  }

  @ParameterizedTest
  @MethodSource("modern")
  void recompressesGoldenStreams(GoldenCase golden) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment stream = golden.stream(arena);
      assertRecompressed(stream, Decoded.ofStream(stream), golden.name());
    }
  }

  @ParameterizedTest
  @MethodSource("modern")
  void splitsAndCombinesGoldenBatches(GoldenCase golden) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      Decoded.forEachBatchOfStream(
          golden.stream(arena),
          batch -> {
            Written split = Transformed.split(batch, 500, dirty(arena));
            split.batches().forEach(Validation::assertValid);
            Decoded.ofStream(split.stream(Codec.NONE)).assertHolds(split.expected(), golden.name());
            List<RecordBatch> coalesced =
                Transformed.coalesce(split.batches(), EVERYTHING, dirty(arena));
            assertHolds(coalesced, List.of(Decoded.values(batch)), golden.name(), Codec.NONE);
          });
    }
  }

  private void assertRecompressed(MemorySegment stream, Decoded expected, String description)
      throws IOException {
    for (Codec codec : Codec.values()) {
      MemorySegment recompressed = Transformed.recompress(stream, codec);
      Decoded.ofStream(recompressed).assertHolds(expected, description + " in " + codec);
      MessageReader reader = new MessageReader(ByteSource.of(recompressed), Limits.DEFAULT);
      reader.readSchema();
      for (EncapsulatedMessage message = reader.next(); message != null; message = reader.next()) {
        assertThat(codec(message)).as(description).isEqualTo(codec);
        try (Arena arena = Arena.ofConfined()) {
          reader.readBodyPart(arena.allocate(message.message().bodyLength()));
        }
      }
    }
  }

  private static Codec codec(EncapsulatedMessage message) {
    RecordBatchHeader header =
        message.message().header() instanceof DictionaryBatchHeader dictionary
            ? dictionary.data()
            : (RecordBatchHeader) message.message().header();
    return BodyCodecs.of(header);
  }

  private static void assertHolds(
      List<RecordBatch> batches,
      List<List<List<@Nullable Object>>> values,
      String description,
      Codec codec)
      throws IOException {
    batches.forEach(Validation::assertValid);
    Schema schema = batches.getFirst().schema();
    Written written = new Written(schema, batches, new Decoded(schema, values));
    Decoded.ofStream(written.stream(codec)).assertHolds(written.expected(), description);
    Decoded.ofFile(written.file(codec)).assertHolds(written.expected(), description);
  }

  private static boolean usesDictionary(Field field) {
    return field.dictionary() != null
        || field.children().stream().anyMatch(TransformedDataTest::usesDictionary);
  }
}
