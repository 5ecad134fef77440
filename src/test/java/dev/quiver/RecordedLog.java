package dev.quiver;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// The messages that one class logs, whether a service runs in the same process or not. What the
/// console shows depends on that: without one, the JDK writes to the error stream that it found at
/// its first message.
public final class RecordedLog extends Handler {

  private final Logger logger;
  private final List<String> messages = new ArrayList<>();
  private boolean hasStackTraces;

  public RecordedLog(Class<?> source) {
    logger = Logger.getLogger(source.getName());
    logger.addHandler(this);
  }

  public synchronized List<String> messages() {
    return List.copyOf(messages);
  }

  /// Returns whether a message came with an exception, whose stack trace the log shows.
  public synchronized boolean hasStackTraces() {
    return hasStackTraces;
  }

  public synchronized void clear() {
    messages.clear();
  }

  @Override
  public synchronized void publish(LogRecord record) {
    messages.add(record.getMessage());
    hasStackTraces |= record.getThrown() != null;
  }

  @Override
  public void flush() {}

  /// Ends the recording.
  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
