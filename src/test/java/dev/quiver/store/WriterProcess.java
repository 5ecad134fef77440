package dev.quiver.store;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.formats.UploadData;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.S3Options;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.blob.s3.S3BlobStore;
import dev.quiver.store.version.DatasetGoneException;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetNotFoundException;
import dev.quiver.store.version.IdempotencyKey;
import dev.quiver.store.version.PreconditionFailedException;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.UploadOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// A process of its own that writes to a store. It prints the acknowledged writes of each writer.
///
/// Each line of its standard input is a task: `any` for all kinds of intents, `append` for appends
/// only, or `create` for one new dataset. The location of the store follows, then the moment at
/// which to halt or 0, then `writer:from:to` for each writer, with the range of its intents.
final class WriterProcess {

  private static final long CACHE_BYTE_SIZE = 64 << 20;
  private static final WriteCondition NONE = new WriteCondition.None();

  private final Datasets datasets;

  private WriterProcess(Datasets datasets) {
    this.datasets = datasets;
  }

  /// @param arguments the location of a first commit that loads the classes, or nothing
  static void main(String[] arguments) throws Exception {
    for (String location : arguments) {
      run(new Datasets(open(location), DatasetOptions.DEFAULT), Intent.append(0, 0), null);
    }
    System.out.println("ready");
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ");
      UnreliableStore store = new UnreliableStore(open(words[1]));
      long moment = Long.parseLong(words[2]);
      if (moment > 0) {
        store.setFault(Faults.halt(moment));
      }
      WriterProcess process = new WriterProcess(new Datasets(store, DatasetOptions.DEFAULT));
      List<String> writers = List.of(words).subList(3, words.length);
      process.run(words[0], writers);
      System.out.println("done");
    }
  }

  /// Opens the store at a location: a folder, or `http://host:port/bucket#folder` with the folder
  /// for the cache.
  static BlobStore open(String location) throws IOException {
    if (!location.startsWith("http:")) {
      return FolderBlobStore.open(Path.of(location));
    }
    System.setProperty("aws.accessKeyId", "test");
    System.setProperty("aws.secretAccessKey", "test");
    URI uri = URI.create(location);
    // Processes do not share a cache.
    Path cache = Files.createTempDirectory(Path.of(uri.getFragment()), "cache");
    return S3BlobStore.open(
        new S3Options(
            uri.getPath().substring(1),
            uri.resolve("/"),
            "",
            "",
            /* pathStyle= */ true,
            S3Options.Checksums.WHEN_REQUIRED,
            cache,
            CACHE_BYTE_SIZE));
  }

  private void run(String task, List<String> writers) throws Exception {
    List<Future<?>> running = new ArrayList<>();
    try (var executor = Executors.newFixedThreadPool(writers.size())) {
      for (String writer : writers) {
        String[] range = writer.split(":");
        int number = Integer.parseInt(range[0]);
        int from = Integer.parseInt(range[1]);
        int to = Integer.parseInt(range[2]);
        running.add(
            executor.submit(() -> {
              switch (task) {
                case "any" -> write(from, to, sequence -> Intent.any(number, sequence));
                case "append" -> write(from, to, sequence -> Intent.append(number, sequence));
                case "create" -> create(number);
                default -> throw new IllegalArgumentException(task);
              }
              return null;
            }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
  }

  private void write(int from, int to, IntFunction<Intent> intents) throws IOException {
    for (int sequence = from; sequence < to; sequence++) {
      Intent intent = intents.apply(sequence);
      run(datasets, intent, intent.key());
      System.out.println("done " + intent.writer() + " " + sequence);
    }
  }

  private void create(int writer) throws IOException {
    try {
      Intent intent = Intent.append(writer, 0);
      datasets.put(intent.name(), source(intent), BodyFormat.STREAM, new WriteCondition.IfAbsent());
      System.out.println("created " + writer + " 0");
    } catch (PreconditionFailedException e) {
      System.out.println("rejected " + writer + " 0");
    }
  }

  /// Executes an intent.
  ///
  /// @param key the idempotency key of an append
  static void run(Datasets datasets, Intent intent, @Nullable IdempotencyKey key)
      throws IOException {
    DatasetName name = intent.name();
    switch (intent.action()) {
      case PUT -> datasets.put(name, source(intent), BodyFormat.STREAM, NONE);
      case APPEND ->
          datasets.append(
              name,
              UploadData.Source.of(source(intent), BodyFormat.STREAM),
              NONE,
              UploadOptions.DEFAULT,
              key);
      case COMPACT -> {
        try {
          datasets.compact(name, new WriteCondition.None());
        } catch (DatasetNotFoundException | DatasetGoneException e) {
          // A missing dataset needs no compaction.
        }
      }
      case DELETE -> {
        try {
          datasets.delete(name, NONE);
        } catch (DatasetNotFoundException | DatasetGoneException e) {
          // A missing dataset counts as deleted.
        }
      }
    }
  }

  private static ByteSource source(Intent intent) throws IOException {
    return ByteSource.of(MemorySegment.ofArray(intent.body()));
  }
}
