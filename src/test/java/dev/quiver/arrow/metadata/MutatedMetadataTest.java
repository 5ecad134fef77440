package dev.quiver.arrow.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.SchemaHeader;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Tests that randomly damaged metadata either decodes or causes an [InputException], and nothing
/// else. The seed is fixed, so failures are reproducible.
class MutatedMetadataTest {

  private static final int MUTATION_COUNT = 20_000;

  private static final int[] BOUNDARY_NUMBERS = {
    0, 1, -1, 4, 8, 127, 128, 255, 256, 32767, 32768, 65535, Integer.MAX_VALUE, Integer.MIN_VALUE
  };

  private static final Metadata METADATA =
      Metadata.of(KeyValue.of("key", "value"), KeyValue.of("empty", ""));

  private static final Schema SCHEMA =
      Schema.of(Samples.fields().toArray(Field[]::new)).withMetadata(METADATA);

  private static final RecordBatchHeader BATCH =
      new RecordBatchHeader(
          5,
          List.of(new FieldNode(5, 1), new FieldNode(5, 0)),
          List.of(new Buffer(0, 1), new Buffer(8, 20), new Buffer(32, 0)),
          new BodyCompression(CompressionType.ZSTD),
          List.of(1L, 0L));

  private final Random random = new Random(20_260_101);
  private int rejected;

  @Test
  void damagedMessagesAreReadOrRejected() {
    byte[][] originals = {
      encode(new SchemaHeader(SCHEMA), 0),
      encode(new SchemaHeader(Schema.of(Samples.fields().getFirst())), 0),
      encode(BATCH, 40),
      encode(new DictionaryBatchHeader(7, BATCH, true), 40)
    };
    assertReadOrRejected(originals, bytes -> MessageDecoder.decode(bytes, Limits.DEFAULT));
  }

  @Test
  void damagedFootersAreReadOrRejected() {
    Footer footer =
        new Footer(
            MetadataVersion.V5,
            SCHEMA,
            List.of(new Block(8, 64, 128)),
            List.of(new Block(200, 64, 128), new Block(392, 64, 0)),
            METADATA);
    byte[][] originals = {FooterEncoder.encode(footer)};
    assertReadOrRejected(originals, bytes -> FooterDecoder.decode(bytes, Limits.DEFAULT));
  }

  private void assertReadOrRejected(byte[][] originals, Function<MemorySegment, Object> decode) {
    for (int i = 0; i < MUTATION_COUNT; i++) {
      byte[] damaged = damage(originals[random.nextInt(originals.length)].clone());
      try {
        assertThat(decode.apply(MemorySegment.ofArray(damaged))).isNotNull();
      } catch (InputException e) {
        assertThat(e).hasMessageMatching("(?s)Expected .* but found .*");
        rejected++;
      }
    }
    // If all mutations or none were rejected, the test would prove little.
    assertThat(rejected).isBetween(MUTATION_COUNT / 20, MUTATION_COUNT * 19 / 20);
  }

  private byte[] damage(byte[] bytes) {
    int count = 1 + random.nextInt(2);
    for (int i = 0; i < count; i++) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] = (byte) random.nextInt();
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> putInt(bytes, at, BOUNDARY_NUMBERS[random.nextInt(BOUNDARY_NUMBERS.length)]);
        default -> putInt(bytes, at, random.nextInt(2 * bytes.length) - bytes.length / 2);
      }
    }
    return random.nextInt(16) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)) : bytes;
  }

  private static void putInt(byte[] bytes, int at, int value) {
    for (int i = 0; i < Integer.BYTES && at + i < bytes.length; i++) {
      bytes[at + i] = (byte) (value >>> (8 * i));
    }
  }

  private static byte[] encode(MessageHeader header, long bodyLength) {
    return MessageEncoder.encode(new Message(MetadataVersion.V5, header, bodyLength, METADATA));
  }
}
