package dev.quiver.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The files of an audit log, also of one that cannot be written for a while.
class AuditLogTest {

  private static final int LINE_BYTE_SIZE = line(0).length() + 1;

  @TempDir private Path folder;

  private static AuditEvent event(int number) {
    return new AuditEvent(
        Instant.EPOCH, null, "token:etl", null, "upload", "cities", 1000L + number, 5L, 201);
  }

  private static String line(int number) {
    return "{\"time\":\"1970-01-01T00:00:00Z\",\"principal\":\"token:etl\",\"action\":\"upload\","
        + "\"dataset\":\"cities\",\"version\":"
        + (1000 + number)
        + ",\"bytes\":5,\"status\":201}";
  }

  private static List<String> lines(int from, int end) {
    return IntStream.range(from, end).mapToObj(AuditLogTest::line).toList();
  }

  private AuditLog open(int lineCount, int fileCount, boolean refuses) {
    return new AuditLog(
        folder.resolve("logs/audit.jsonl"), (long) lineCount * LINE_BYTE_SIZE, fileCount, refuses);
  }

  private List<String> read(String suffix) throws IOException {
    return Files.readAllLines(folder.resolve("logs/audit.jsonl" + suffix));
  }

  @Test
  void filesAreBoundedInSizeAndNumber() throws IOException {
    for (int i = 0; i < 11; i++) {
      // Each process goes on where the one before ended.
      try (AuditLog log = open(3, 3, false)) {
        log.write(event(i));
        assertThat(log.failureCount()).isZero();
      }
    }
    assertThat(read("")).isEqualTo(lines(9, 11));
    assertThat(read(".1")).isEqualTo(lines(6, 9));
    assertThat(read(".2")).isEqualTo(lines(3, 6));
    assertThat(folder.resolve("logs/audit.jsonl.3")).doesNotExist();
  }

  @Test
  void oneFileIsBoundedToo() throws IOException {
    try (AuditLog log = open(2, 1, false)) {
      for (int i = 0; i < 5; i++) {
        log.write(event(i));
      }
    }
    assertThat(read("")).isEqualTo(lines(4, 5));
    assertThat(folder.resolve("logs").toFile().list()).hasSize(1);
  }

  /// A line that is larger than a file has one of its own.
  @Test
  void smallFilesHaveALineEach() throws IOException {
    try (AuditLog log = new AuditLog(folder.resolve("logs/audit.jsonl"), 1, 2, false)) {
      log.write(event(0));
      log.write(event(1));
    }
    assertThat(read("")).isEqualTo(lines(1, 2));
    assertThat(read(".1")).isEqualTo(lines(0, 1));
  }

  @Test
  void linesWaitForTheDisk() throws IOException {
    Files.writeString(folder.resolve("logs"), "no folder");
    try (AuditLog log = open(10_000, 2, true)) {
      assertThat(log.refusesWrites()).isTrue();
      List<String> written = new ArrayList<>();
      for (int i = 0; i < 1_003; i++) {
        log.write(event(i));
        written.add(line(i));
      }
      assertThat(log.lostCount()).isEqualTo(3);
      assertThat(log.refusesWrites()).isTrue();
      Files.delete(folder.resolve("logs"));
      assertThat(log.refusesWrites()).isFalse();
      assertThat(read("")).isEqualTo(written.subList(3, 1_003));
      log.write(event(1_003));
      assertThat(read("")).hasSize(1_001).endsWith(line(1_003));
      assertThat(log.eventCount()).isEqualTo(1_004);
    }
  }

  @Test
  void writesGoOnUnlessTheyAreToBeRefused() throws IOException {
    Files.writeString(folder.resolve("logs"), "no folder");
    try (AuditLog log = open(10, 2, false)) {
      log.write(event(0));
      assertThat(log.failureCount()).isPositive();
      assertThat(log.refusesWrites()).isFalse();
    }
    try (AuditLog none = new AuditLog(null, 1, 1, true)) {
      none.write(event(0));
      assertThat(none.isEnabled()).isFalse();
      assertThat(none.refusesWrites()).isFalse();
      assertThat(none.eventCount()).isZero();
    }
  }
}
