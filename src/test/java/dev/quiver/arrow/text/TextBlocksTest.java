package dev.quiver.arrow.text;

import static dev.quiver.arrow.text.Rendered.INT64;
import static dev.quiver.arrow.text.Rendered.UTF8;
import static dev.quiver.arrow.text.Rendered.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.Schema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The blocks of a text, and renderings that start at one of them.
class TextBlocksTest {

  private static final int MIB = 1 << 20;
  private static final Limit UNLIMITED = new Limit("text-response-bytes", Long.MAX_VALUE);

  private static final Schema SCHEMA = Schema.of(named("n", INT64), named("t", UTF8));

  private final Random random = new Random(5);
  private final ByteArrayOutputStream text = new ByteArrayOutputStream();

  private static RecordBatch batch(int rows, int textLength) {
    List<Long> numbers = new ArrayList<>();
    List<@Nullable String> texts = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      numbers.add((long) i * i);
      texts.add(i % 7 == 0 ? null : "\"" + "x".repeat(textLength));
    }
    return new ArrayBuilder(Arena.ofAuto()).recordBatch(SCHEMA, rows, List.of(numbers, texts));
  }

  private Renderer begin(TextFormat format) throws IOException {
    return Renderer.begin(format, TextOptions.DEFAULT, SCHEMA, this::append, UNLIMITED);
  }

  private Renderer resume(TextFormat format, long row) {
    return Renderer.resume(format, TextOptions.DEFAULT, SCHEMA, this::append, UNLIMITED, row);
  }

  private void append(java.lang.foreign.MemorySegment part) {
    text.writeBytes(part.toArray(LittleEndian.INT8));
  }

  private byte[] taken() {
    byte[] bytes = text.toByteArray();
    text.reset();
    return bytes;
  }

  @ParameterizedTest
  @EnumSource
  void everyBlockIsRenderedFromItsFirstRow(TextFormat format) throws IOException {
    RecordBatch batch = batch(40_000, 100);
    Renderer renderer = begin(format);
    renderer.write(batch, 0, 17_000);
    renderer.write(batch, 17_000, 40_000);
    TextBlocks blocks = renderer.end();
    byte[] whole = taken();
    assertThat(blocks.byteSize()).isEqualTo(whole.length);
    assertThat(blocks.rows()).isEqualTo(40_000);
    assertThat(blocks.count()).isBetween(whole.length / MIB, whole.length / MIB + 1);
    for (int i = 0; i < blocks.count(); i++) {
      long byteSize = blocks.bytesBefore(i + 1) - blocks.bytesBefore(i);
      assertThat(byteSize).isLessThan(MIB + 200);
      Renderer part = i == 0 ? begin(format) : resume(format, blocks.rowsBefore(i));
      part.write(batch, blocks.rowsBefore(i), blocks.rowsBefore(i + 1));
      TextBlocks written = i == blocks.count() - 1 ? part.end() : part.flush();
      assertThat(written.byteSize()).isEqualTo(byteSize);
      assertThat(taken())
          .isEqualTo(
              Arrays.copyOfRange(
                  whole, (int) blocks.bytesBefore(i), (int) blocks.bytesBefore(i + 1)));
    }
  }

  /// Slices of any number of rows, rendered apart from each other, add up to the text.
  @ParameterizedTest
  @EnumSource
  void blocksOfSlicesAddUpToTheText(TextFormat format) throws IOException {
    RecordBatch batch = batch(5_000, 1_000);
    begin(format).end();
    taken();
    TextBlocks.Builder blocks = new TextBlocks.Builder();
    blocks.addAll(begin(format).flush());
    for (int row = 0; row < 5_000; ) {
      int end = Math.min(5_000, row + 1 + random.nextInt(2_000));
      Renderer slice = resume(format, row);
      slice.write(batch, row, end);
      blocks.addAll(slice.flush());
      row = end;
    }
    blocks.addAll(resume(format, 5_000).end());
    byte[] slices = taken();
    Renderer renderer = begin(format);
    renderer.write(batch);
    renderer.end();
    assertThat(slices).isEqualTo(taken());
    TextBlocks built = blocks.build();
    assertThat(built.byteSize()).isEqualTo(slices.length);
    assertThat(built.rows()).isEqualTo(5_000);
    for (int i = 0; i < built.count(); i++) {
      assertThat(built.rowsBefore(i + 1)).isGreaterThan(built.rowsBefore(i));
      assertThat(built.bytesBefore(i + 1) - built.bytesBefore(i)).isLessThan(MIB + 2_000);
    }
    assertThat(built.count()).isLessThanOrEqualTo(2 * slices.length / MIB + 1);
  }

  @ParameterizedTest
  @EnumSource
  void textWithoutRowsIsOneBlock(TextFormat format) throws IOException {
    TextBlocks whole = begin(format).end();
    byte[] expected = taken();
    TextBlocks.Builder blocks = new TextBlocks.Builder();
    blocks.addAll(begin(format).flush());
    blocks.addAll(resume(format, 0).end());
    assertThat(taken()).isEqualTo(expected);
    for (TextBlocks each : List.of(whole, blocks.build())) {
      assertThat(each.count()).isEqualTo(1);
      assertThat(each.rows()).isZero();
      assertThat(each.byteSize()).isEqualTo(expected.length);
    }
  }

  @Test
  void joinsSmallBlocksAndFindsTheBlockOfAByte() {
    TextBlocks.Builder builder = new TextBlocks.Builder();
    builder.add(0, 10);
    builder.add(1, 5 * MIB);
    builder.add(1, 100);
    builder.add(1, MIB - 100);
    builder.add(1, 1);
    builder.add(0, 2 * MIB);
    TextBlocks blocks = builder.build();
    assertThat(blocks.count()).isEqualTo(3);
    assertThat(blocks.rowsBefore(1)).isEqualTo(1);
    assertThat(blocks.rowsBefore(2)).isEqualTo(3);
    assertThat(blocks.rows()).isEqualTo(4);
    long first = 5 * MIB + 10;
    assertThat(blocks.bytesBefore(1)).isEqualTo(first);
    assertThat(blocks.byteSize()).isEqualTo(first + MIB + 1 + 2 * MIB);
    assertThat(blocks.blockOf(0)).isZero();
    assertThat(blocks.blockOf(first - 1)).isZero();
    assertThat(blocks.blockOf(first)).isEqualTo(1);
    assertThat(blocks.blockOf(first + MIB - 1)).isEqualTo(1);
    assertThat(blocks.blockOf(first + MIB)).isEqualTo(2);
    assertThat(blocks.blockOf(blocks.byteSize() - 1)).isEqualTo(2);
    assertThatThrownBy(() -> blocks.blockOf(blocks.byteSize()))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> blocks.blockOf(-1)).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
