package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.write.DatasetOptions;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A service killed while clients write serves every acknowledged write after its restart. Only the
/// profile `crashes` runs this test, since the service starts slowly. `CrashTest` covers the store
/// alone.
@Tag("service-crashes")
@Tag("random")
class ServiceCrashTest {

  private static final int ROUNDS = Trials.of(20);
  private static final int ROUNDS_PER_STORE = 20;
  private static final int WRITERS = 3;
  private static final int LATEST_VERSIONS = 5;
  private static final int KILLED = 137;

  @TempDir private Path folder;
  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void servesAcknowledgedWritesAfterACrash() throws Exception {
    SplittableRandom random = new SplittableRandom(2);
    Ledger ledger = new Ledger(WRITERS);
    int acknowledged = 0;
    for (int round = 0; round < ROUNDS; round++) {
      boolean first = round % ROUNDS_PER_STORE == 0;
      if (first) {
        ledger = new Ledger(WRITERS);
      }
      try (ServiceProcess service = new ServiceProcess(List.of(), store(round))) {
        ServedOverHttp served = new ServedOverHttp(client, service.origin());
        if (!first) {
          ledger.settle(served, LATEST_VERSIONS);
        }
        acknowledged += writeUntilKilled(service, served, ledger, random.nextInt(600));
        assertThat(service.awaitEnd()).isEqualTo(KILLED);
      }
      if (round == ROUNDS - 1 || (round + 1) % ROUNDS_PER_STORE == 0) {
        // No later service opens this store.
        BlobStore store = FolderBlobStore.open(store(round));
        Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT);
        ledger.settle(new ServedDatasets(datasets), Integer.MAX_VALUE);
      }
    }
    System.out.printf("%d crashes of the service, %d writes acknowledged%n", ROUNDS, acknowledged);
  }

  private Path store(int round) {
    return folder.resolve("store" + round / ROUNDS_PER_STORE);
  }

  private static int writeUntilKilled(
      ServiceProcess service, ServedOverHttp served, Ledger ledger, int millis) throws Exception {
    CountDownLatch firstResponse = new CountDownLatch(1);
    List<Callable<Integer>> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      int writer = i;
      writers.add(() -> {
        int count = 0;
        try {
          for (int sequence = ledger.next(writer); ; sequence++) {
            Intent intent = Intent.any(writer, sequence);
            assertThat(served.run(intent)).as("response to %s", intent).isTrue();
            ledger.acknowledge(writer, sequence);
            count++;
            firstResponse.countDown();
          }
        } catch (IOException e) {
          // The service was killed.
          return count;
        } finally {
          firstResponse.countDown();
        }
      });
    }
    int acknowledged = 0;
    try (var executor = Executors.newFixedThreadPool(WRITERS)) {
      List<Future<Integer>> counts = new ArrayList<>();
      for (Callable<Integer> writer : writers) {
        counts.add(executor.submit(writer));
      }
      firstResponse.await();
      Thread.sleep(millis);
      service.kill();
      for (Future<Integer> count : counts) {
        acknowledged += count.get();
      }
    }
    return acknowledged;
  }
}
