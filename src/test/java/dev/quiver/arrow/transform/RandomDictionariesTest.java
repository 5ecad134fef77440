package dev.quiver.arrow.transform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.DictionaryIndex;
import dev.quiver.arrow.array.RandomData;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.ipc.DictionaryFields;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Streams of random dictionaries, nested ones included, whose columns must keep their values.
@Tag("random")
final class RandomDictionariesTest {

  private static final long OUTER = 1_000_000;
  private static final Limit TOTAL = new Limit("upload-dictionary-bytes", 1L << 30);

  @TempDir Path folder;

  @Test
  void unificationKeepsEveryValue() throws IOException {
    for (long seed : Trials.seeds(600)) {
      try (Stream stream = new Stream(seed, folder)) {
        stream.run(1 + (int) (seed % 12));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void unificationOfManyDictionariesKeepsEveryValue(long seed) throws IOException {
    try (Stream stream = new Stream(seed, folder)) {
      stream.run(400);
    }
  }

  private record Column(ArrayData rewritten, List<@Nullable Object> expected) {}

  private static final class Stream implements AutoCloseable {

    private final Random random;
    private final RandomData data;
    private final Field values;
    private final Field column;
    private final Arena arena = Arena.ofConfined();
    private final ScratchMemory memory;
    private final DictionaryUnifier unifier;
    private final Map<Long, List<@Nullable Object>> dictionaries = new HashMap<>();
    private final List<Column> columns = new ArrayList<>();
    private List<@Nullable Object> outer = List.of();
    private @Nullable ArrayData snapshot;

    Stream(long seed, Path folder) {
      random = new Random(seed);
      data = new RandomData(seed);
      values = unordered(data.field("", 3).withDictionary(null));
      ArrowType.Int indexType = new ArrowType.Int(8 << random.nextInt(4), random.nextBoolean());
      column =
          new Field(
              "column",
              true,
              values.type(),
              new DictionaryEncoding(OUTER, indexType, false),
              values.children(),
              values.metadata());
      unifier = new DictionaryUnifier(Schema.of(column), Limits.DEFAULT, TOTAL, folder);
      memory = new ScratchMemory(folder);
      dictionaries.putAll(data.dictionaries());
    }

    void run(int rounds) {
      for (int i = 0; i < rounds; i++) {
        takeInner();
        takeOuter();
        takeColumn();
      }
      for (Column each : columns) {
        assertThat(UnifiedValues.of(each.rewritten, unifier, memory)).isEqualTo(each.expected);
      }
    }

    /// Takes some of the inner dictionaries, in another order and with duplicates.
    private void takeInner() {
      DictionaryFields fields = DictionaryFields.of(Schema.of(column));
      fields
          .byId()
          .forEach((id, field) -> {
            if (id != OUTER && (random.nextBoolean() || !unifier.contains(id))) {
              List<@Nullable Object> shuffled = new ArrayList<>(data.dictionaries().get(id));
              if (random.nextBoolean()) {
                Collections.shuffle(shuffled, random);
                shuffled.add(shuffled.getFirst());
              }
              dictionaries.put(id, shuffled);
              unifier.take(
                  id, builder().array(field, shuffled), false, 1 << 20, InputLocation.UNKNOWN);
            }
          });
    }

    private void takeOuter() {
      if (snapshot != null && random.nextInt(4) == 0) {
        return;
      }
      Field field = Objects.requireNonNull(DictionaryFields.of(Schema.of(column)).values(OUTER));
      List<@Nullable Object> next = new ArrayList<>();
      if (outer.size() < 100) {
        next.addAll(outer);
      }
      boolean delta = snapshot != null && random.nextInt(3) == 0;
      if (delta) {
        next.clear();
      } else {
        if (random.nextBoolean()) {
          Collections.shuffle(next, random);
        }
        if (!next.isEmpty() && random.nextBoolean()) {
          next = new ArrayList<>(next.subList(0, random.nextInt(next.size())));
        }
      }
      next.addAll(data.values(field, random.nextInt(8)));
      int room = 128 - (delta ? outer.size() : 0);
      next = next.subList(0, Math.max(0, Math.min(next.size(), room)));
      try (Arena temporary = Arena.ofConfined()) {
        boolean first = snapshot == null;
        ArrayData taken =
            new ArrayBuilder(first ? arena : temporary, dictionaries).array(field, next);
        unifier.take(OUTER, taken, delta, 1 << 20, InputLocation.UNKNOWN);
      }
      List<@Nullable Object> combined = new ArrayList<>();
      if (delta) {
        combined.addAll(outer);
      }
      combined.addAll(next);
      outer = combined;
      snapshot = unifier.values(OUTER, memory);
    }

    private void takeColumn() {
      List<@Nullable Object> indices = new ArrayList<>();
      List<@Nullable Object> expected = new ArrayList<>();
      for (int i = random.nextInt(10); i > 0; i--) {
        if (outer.isEmpty() || random.nextInt(4) == 0) {
          indices.add(null);
          expected.add(null);
        } else {
          int index = random.nextInt(outer.size());
          indices.add(new DictionaryIndex(index));
          expected.add(outer.get(index));
        }
      }
      Map<Long, List<@Nullable Object>> all = new HashMap<>(dictionaries);
      all.put(OUTER, outer);
      ArrayData array = new ArrayBuilder(arena, all).array(column, indices);
      List<@Nullable Object> original = Values.of(array);
      assertThat(original.size()).isEqualTo(expected.size());
      columns.add(new Column(unifier.rewritten(List.of(array), memory).getFirst(), original));
    }

    private ArrayBuilder builder() {
      return new ArrayBuilder(arena, dictionaries);
    }

    @Override
    public void close() throws IOException {
      unifier.close();
      memory.close();
      arena.close();
    }
  }

  private static Field unordered(Field field) {
    return field.withDictionaries(
        encoding -> new DictionaryEncoding(encoding.id(), encoding.indexType(), false));
  }
}
