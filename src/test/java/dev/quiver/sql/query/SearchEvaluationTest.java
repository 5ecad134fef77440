package dev.quiver.sql.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.SqlOptions;
import dev.quiver.sql.execution.TestWorkers;
import dev.quiver.store.DatasetTestFolder;
import dev.quiver.store.read.RowMatches;
import dev.quiver.store.read.Snapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Searches of a dataset of ten batches without SQL, and their limits.
class SearchEvaluationTest {

  private static final Schema SCHEMA =
      Schema.of(
          Field.of("id", false, new ArrowType.Int(32, true)),
          Field.of("name", true, new ArrowType.Utf8()));

  @TempDir private Path folder;
  private DatasetTestFolder data;
  private Snapshot snapshot;

  @BeforeEach
  void write() throws Exception {
    data = new DatasetTestFolder(folder);
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    try (Arena arena = Arena.ofConfined()) {
      StreamWriter writer =
          new StreamWriter(
              part -> stream.writeBytes(part.toArray(ValueLayout.JAVA_BYTE)), SCHEMA, Codec.ZSTD);
      for (int first = 0; first < 10_000; first += 1000) {
        List<Integer> ids = IntStream.range(first, first + 1000).boxed().toList();
        List<String> names = ids.stream().map(id -> "Name " + id).toList();
        writer.write(new ArrayBuilder(arena).recordBatch(SCHEMA, 1000, List.of(ids, names)));
      }
      writer.close();
    }
    data.put(stream.toByteArray());
    snapshot = data.open();
  }

  @AfterEach
  void close() throws IOException {
    snapshot.close();
    data.datasets.close();
  }

  private static SqlOptions options(Duration timeout, long memory) {
    return TestWorkers.options(timeout, 2, 1000, memory);
  }

  private TestQueries withoutSql(Duration timeout, long memory) {
    return TestQueries.unavailable(data.datasets, options(timeout, memory), "SQL is off");
  }

  private RowMatches matches(TestQueries queries, @Nullable String where, String search)
      throws IOException {
    return queries
        .conditions()
        .matches(snapshot, new RowCondition(where, search), TestWorkers.PRINCIPAL);
  }

  @Test
  void needsNoSqlAndRemembersMatches() throws IOException {
    try (TestQueries queries = withoutSql(Duration.ofSeconds(60), 1 << 20)) {
      RowMatches found = matches(queries, null, "nAME 77");
      assertThat(found.count()).isEqualTo(111);
      assertThat(matches(queries, null, "nAME 77")).isSameAs(found);
      assertThat(matches(queries, null, "name 77")).isNotSameAs(found);
      assertThat(queries.conditions().readBatchCount()).isEqualTo(20);
      assertThatThrownBy(() -> matches(queries, "id > 0", "name 77"))
          .isInstanceOf(SqlException.Unavailable.class);
    }
  }

  @Test
  void readsOnlyBatchesWithRowsThatMatchTheCondition() throws IOException {
    try (TestQueries queries =
        TestQueries.of(data.datasets, options(Duration.ofSeconds(60), 1 << 20))) {
      RowMatches among = matches(queries, "id >= 5500 and id < 5600", "name 55");
      assertThat(among.count()).isEqualTo(100);
      assertThat(matches(queries, "id >= 5500 and id < 5600", "5").count()).isEqualTo(100);
      assertThat(matches(queries, "id >= 5500 and id < 5600", "name 5").count()).isEqualTo(100);
      // The condition once, and each search.
      assertThat(queries.conditions().readBatchCount()).isEqualTo(4);
      assertThat(matches(queries, "id < 0", "name").count()).isZero();
    }
  }

  @Test
  void endsWithItsTime() {
    try (TestQueries queries = withoutSql(Duration.ZERO, 1 << 20)) {
      assertThatThrownBy(() -> matches(queries, null, "name"))
          .isInstanceOf(SqlException.Timeout.class)
          .hasMessageContaining("quiver.where.timeout");
    }
  }

  @Test
  void isChargedForItsMatches() {
    try (TestQueries queries = withoutSql(Duration.ofSeconds(60), 100)) {
      assertThatThrownBy(() -> matches(queries, null, "name"))
          .isInstanceOf(TooLargeInputException.class)
          .hasMessageContaining("(quiver.where.memory)")
          .hasMessageContaining("parameter search");
    }
  }

  @Test
  void endsIfItsClientLeaves() {
    try (TestQueries queries = withoutSql(Duration.ofSeconds(60), 1 << 20)) {
      assertThatThrownBy(
              () -> Cancellation.when(() -> true).call(() -> matches(queries, null, "name")))
          .isInstanceOf(CancelledException.class);
    }
  }
}
