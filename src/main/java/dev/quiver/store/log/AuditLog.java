package dev.quiver.store.log;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Files of JSON lines, one for each event. The newest events are in the file itself; once it has
/// its size, it becomes `.1`, `.1` becomes `.2`, and the last one is deleted. Shared by threads.
///
/// While lines cannot be written, some are kept in memory and written later, in order.
public final class AuditLog implements AutoCloseable {

  private static final Logger LOG = System.getLogger(AuditLog.class.getName());

  /// The maximum number of lines that wait for the disk.
  private static final int WAITING_MAXIMUM = 1_000;

  private static final JsonMapper MAPPER = new JsonMapper();

  private final @Nullable Path path;
  private final long byteSizeMaximum;
  private final int fileCount;
  private final boolean refuses;
  private final Deque<byte[]> waiting = new ArrayDeque<>();
  private @Nullable FileChannel file;
  private long byteSize;

  /// Whether the last attempt to write failed, which is logged once.
  private boolean failing;

  private long eventCount;
  private long failureCount;
  private long lostCount;

  /// @param path the file, or null for no log
  /// @param byteSizeMaximum the size that a file has at most, unless one line is larger
  /// @param fileCount the number of files, with the one that is written
  /// @param refuses whether writes are rejected while lines cannot be written
  public AuditLog(@Nullable Path path, long byteSizeMaximum, int fileCount, boolean refuses) {
    this.path = path;
    this.byteSizeMaximum = byteSizeMaximum;
    this.fileCount = fileCount;
    this.refuses = refuses;
  }

  /// Returns whether events are written at all.
  public boolean isEnabled() {
    return path != null;
  }

  /// Returns whether a write has to be rejected, since the log could not record it. If lines wait,
  /// they are written first.
  public synchronized boolean refusesWrites() {
    return refuses && path != null && !writeWaiting();
  }

  /// Writes an event. If that fails, it waits, and the first failure is logged.
  public synchronized void write(AuditEvent event) {
    if (path == null) {
      return;
    }
    eventCount++;
    if (waiting.size() == WAITING_MAXIMUM) {
      waiting.removeFirst();
      lostCount++;
    }
    waiting.add(line(event));
    writeWaiting();
  }

  private boolean writeWaiting() {
    try {
      while (!waiting.isEmpty()) {
        append(waiting.getFirst());
        waiting.removeFirst();
      }
      if (file == null) {
        open();
      }
      failing = false;
    } catch (IOException e) {
      if (!failing) {
        LOG.log(Level.ERROR, "The audit log cannot be written; its lines wait", e);
      }
      failing = true;
      failureCount++;
      closeFile();
    }
    return !failing;
  }

  private void append(byte[] line) throws IOException {
    FileChannel open = file == null ? open() : file;
    if (byteSize > 0 && byteSize + line.length > byteSizeMaximum) {
      closeFile();
      rotate();
      open = open();
    }
    ByteBuffer bytes = ByteBuffer.wrap(line);
    try {
      while (bytes.hasRemaining()) {
        open.write(bytes);
      }
    } catch (IOException e) {
      // A part of a line must not precede another line.
      open.truncate(byteSize);
      throw e;
    }
    byteSize += line.length;
  }

  private FileChannel open() throws IOException {
    Path target = Objects.requireNonNull(path);
    Path folder = target.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    FileChannel opened =
        FileChannel.open(target, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    byteSize = opened.size();
    opened.position(byteSize);
    file = opened;
    return opened;
  }

  private void rotate() throws IOException {
    for (int i = fileCount - 1; i > 0; i--) {
      Path from = i == 1 ? Objects.requireNonNull(path) : numbered(i - 1);
      if (Files.exists(from)) {
        Files.move(from, numbered(i), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    if (fileCount == 1) {
      Files.delete(Objects.requireNonNull(path));
    }
  }

  private Path numbered(int number) {
    Path target = Objects.requireNonNull(path);
    return target.resolveSibling(target.getFileName() + "." + number);
  }

  private static byte[] line(AuditEvent event) {
    ObjectNode line = MAPPER.createObjectNode();
    line.put("time", event.time().toString());
    if (event.requestId() != null) {
      line.put("requestId", event.requestId());
    }
    line.put("principal", event.principal());
    if (event.client() != null) {
      line.put("client", event.client());
    }
    line.put("action", event.action());
    if (event.dataset() != null) {
      line.put("dataset", event.dataset());
    }
    if (event.version() != null) {
      line.put("version", event.version());
    }
    if (event.bytes() != null) {
      line.put("bytes", event.bytes());
    }
    if (event.status() != null) {
      line.put("status", event.status());
    }
    return (line + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /// Returns the number of events since the start.
  public synchronized long eventCount() {
    return eventCount;
  }

  /// Returns how often lines could not be written.
  public synchronized long failureCount() {
    return failureCount;
  }

  /// Returns the number of events that were given up, since too many waited.
  public synchronized long lostCount() {
    return lostCount;
  }

  private void closeFile() {
    FileChannel open = file;
    file = null;
    try {
      if (open != null) {
        open.close();
      }
    } catch (IOException e) {
      LOG.log(Level.WARNING, "The audit log was not closed", e);
    }
  }

  /// Closes the file. Lines that still wait are lost.
  @Override
  public synchronized void close() {
    if (!waiting.isEmpty()) {
      LOG.log(Level.ERROR, "{0} lines of the audit log were not written", waiting.size());
    }
    closeFile();
  }
}
