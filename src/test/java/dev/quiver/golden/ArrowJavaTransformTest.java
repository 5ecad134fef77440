package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.arrow.array.RandomData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests that Arrow Java reads split, coalesced and recompressed batches.
@Tag("arrow-java")
@Tag("random")
class ArrowJavaTransformTest {

  private static final int SEED_COUNT = 200;
  private static final int DEPTH = 3;

  @Test
  void arrowJavaReadsTransformedBatches() throws IOException {
    int columnCount = 0;
    for (int seed : Trials.seeds(SEED_COUNT)) {
      try (Arena arena = Arena.ofConfined()) {
        RandomData data = new RandomData(seed);
        Schema schema =
            Schema.of(
                data.schema(DEPTH).fields().stream()
                    .filter(field -> ArrowJavaLimit.reason(field) == null)
                    .toArray(Field[]::new));
        columnCount += schema.fields().size();
        var values = Transformed.values(schema, data, new Random(seed).nextInt(60));
        RecordBatch batch = Transformed.batch(schema, data, seed, values, arena);
        Written split = Transformed.split(batch, 1000, arena);
        Codec codec = Codec.values()[seed % Codec.values().length];
        MemorySegment stream = Transformed.recompress(split.stream(codec), Codec.NONE);
        assertThat(ArrowJava.readStream(stream, schema))
            .as("split, seed " + seed)
            .isEqualTo(split.expected().batches());

        List<RecordBatch> coalesced = Transformed.coalesce(split.batches(), 1 << 20, arena);
        Written written = new Written(schema, coalesced, new Decoded(schema, List.of(values)));
        stream = Transformed.recompress(written.stream(Codec.NONE), codec);
        assertThat(ArrowJava.readStream(stream, schema))
            .as("coalesced, seed " + seed)
            .isEqualTo(List.of(values));
      }
    }
    assertThat(columnCount).isGreaterThan(Trials.of(SEED_COUNT));
  }
}
