package dev.quiver.sql.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The cache of the classes of workers, for a class path of jars alone, as that of the service.
@Tag("long")
class WorkerCacheTest {

  @TempDir private Path folder;
  private String classPath = "";

  @BeforeEach
  void pack() throws IOException {
    Path jar = folder.resolve("classes.jar");
    List<String> entries = new ArrayList<>(List.of(jar.toString()));
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream output = new JarOutputStream(file)) {
      for (String entry :
          System.getProperty("java.class.path").split(Pattern.quote(File.pathSeparator))) {
        if (entry.endsWith(".jar")) {
          entries.add(Path.of(entry).toAbsolutePath().toString());
        } else if (Files.isDirectory(Path.of(entry))
            && entry.endsWith("classes")
            && !entry.endsWith("test-classes")) {
          pack(Path.of(entry), output);
        }
      }
    }
    classPath = String.join(File.pathSeparator, entries);
  }

  private static void pack(Path classes, JarOutputStream output) throws IOException {
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        output.putNextEntry(new JarEntry(classes.relativize(file).toString().replace('\\', '/')));
        Files.copy(file, output);
      }
    }
  }

  private WorkerCommand command(List<String> cacheOptions) throws IOException {
    Path library = PrivateFolder.create(TestWorkers.SPOOL.resolve("engine"));
    WorkerPoolOptions options = TestWorkers.options(Duration.ofSeconds(30)).pool();
    return new WorkerCommand(
        TestWorkers.library().unpack(library),
        options,
        WorkerCommand.limitsMemory(options),
        classPath,
        cacheOptions);
  }

  private List<Path> caches() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.getFileName().toString().startsWith("worker-")).toList();
    }
  }

  @Test
  void workersStartWithTheCacheAndWithoutIt() throws IOException {
    Files.writeString(folder.resolve("worker-0123.aot"), "of another release");
    Path left =
        Files.writeString(folder.resolve("worker-4567.tmp"), "of a service that was killed");
    Files.setLastModifiedTime(left, FileTime.fromMillis(0));
    try (WorkerCache cache = new WorkerCache(folder, classPath)) {
      assertThat(cache.options()).isEmpty();
      cache.make(command(List.of()));
      List<Path> made = caches();
      assertThat(made).hasSize(1);
      assertThat(cache.options()).containsExactly("-XX:AOTCache=" + made.getFirst());
      // The mode makes the JVM fail if it cannot use the cache.
      List<String> strict = List.of(cache.options().getFirst(), "-XX:AOTMode=on");
      try (WorkerProcess worker = WorkerProcess.start(command(strict), _ -> {})) {
        assertThat(worker.isAlive()).isTrue();
      }
      Files.writeString(made.getFirst(), "damaged");
      try (WorkerProcess worker = WorkerProcess.start(command(cache.options()), _ -> {})) {
        assertThat(worker.isAlive()).isTrue();
      }
      cache.discard();
      assertThat(cache.options()).isEmpty();
      assertThat(caches()).isEmpty();
    }
  }

  @Test
  void cacheBelongsToTheFilesOfTheClassPath() throws IOException {
    Path jar = folder.resolve("classes.jar");
    try (WorkerCache cache = new WorkerCache(folder, classPath)) {
      cache.make(command(List.of()));
      assertThat(cache.options()).hasSize(1);
    }
    Files.write(jar, new byte[1], StandardOpenOption.APPEND);
    try (WorkerCache cache = new WorkerCache(folder, classPath)) {
      assertThat(cache.options()).isEmpty();
    }
  }

  @Test
  void classesInFoldersAndAMissingFolderLeaveWorkersWithoutACache() throws IOException {
    String mixed = classPath + File.pathSeparator + folder;
    try (WorkerCache cache = new WorkerCache(folder, mixed)) {
      cache.makeLater(command(List.of()));
      assertThat(cache.options()).isEmpty();
    }
    try (WorkerCache cache = new WorkerCache(folder.resolve("missing"), classPath)) {
      cache.make(command(List.of()));
      assertThat(cache.options()).isEmpty();
    }
    assertThat(caches()).isEmpty();
  }

  @Test
  void closedCacheIsNotMade() throws IOException {
    WorkerCache cache = new WorkerCache(folder, classPath);
    cache.close();
    cache.make(command(List.of()));
    assertThat(caches()).isEmpty();
  }
}
