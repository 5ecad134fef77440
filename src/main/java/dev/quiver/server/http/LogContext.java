package dev.quiver.server.http;

import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/// The fields that the log lines of a thread have while it works for a request.
public final class LogContext {

  static final String REQUEST_ID = "requestId";
  static final String DATASET = "dataset";

  private LogContext() {}

  public static void begin(String requestId) {
    MDC.put(REQUEST_ID, requestId);
  }

  /// @param dataset as in the path, or null if the request is not about one
  public static void describe(@Nullable String dataset) {
    if (dataset != null) {
      MDC.put(DATASET, dataset);
    }
  }

  public static void end() {
    MDC.remove(REQUEST_ID);
    MDC.remove(DATASET);
  }
}
