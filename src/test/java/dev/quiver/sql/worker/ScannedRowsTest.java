package dev.quiver.sql.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The count of rows that a statement reads.
class ScannedRowsTest {

  private final List<Long> told = new ArrayList<>();
  private final ScannedRows scanned = new ScannedRows(told::add);

  @Test
  void eachBatchCountsOnce() throws IOException {
    ScannedRows.Batches first = scanned.ofVersion(70);
    ScannedRows.Batches second = scanned.ofVersion(1);
    for (int time = 0; time < 2; time++) {
      for (int i = 0; i < 70; i++) {
        first.add(i, 1 << 20);
      }
      second.add(0, 3);
    }
    scanned.tellAll();
    assertThat(told.getLast()).isEqualTo(70L * (1 << 20) + 3);
  }

  @Test
  void threadsCountTogether() throws Exception {
    ScannedRows.Batches batches = scanned.ofVersion(64);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int batch = 0; batch < 64; batch++) {
                  batches.add(batch, batch);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    scanned.tellAll();
    assertThat(told.getLast()).isEqualTo(63 * 64 / 2);
  }

  /// A statement that has read everything may go on for long.
  @Test
  void reportsTheLastBatchAtOnce() {
    ScannedRows.Batches first = scanned.ofVersion(2);
    ScannedRows.Batches second = scanned.ofVersion(1);
    first.add(0, 5);
    second.add(0, 3);
    first.add(1, 7);
    assertThat(told.getLast()).isEqualTo(15);
    // Each counts once.
    first.add(1, 7);
    assertThat(told.getLast()).isEqualTo(15);
  }

  @Test
  void reportsNoProgressOfAStatementWithoutDatasets() throws IOException {
    scanned.ofVersion(3);
    scanned.tellAll();
    assertThat(told).isEmpty();
  }
}
