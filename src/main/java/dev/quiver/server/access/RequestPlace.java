package dev.quiver.server.access;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/// The place of a request among its principal's, until the request ends.
///
/// A job that goes on with the statement of a request keeps its place among the statements.
public final class RequestPlace implements AsyncListener {

  private static final String ATTRIBUTE = RequestPlace.class.getName();

  private final Object lock;
  private final PrincipalUsage usage;
  private final PrincipalMetrics metrics;
  private boolean inProgress = true;

  /// Whether the request ends its statement with itself.
  private boolean hasStatement;

  /// @param lock guards the usage
  RequestPlace(Object lock, PrincipalUsage usage, boolean hasStatement, PrincipalMetrics metrics) {
    this.lock = lock;
    this.usage = usage;
    this.hasStatement = hasStatement;
    this.metrics = metrics;
  }

  void attachTo(HttpServletRequest request) {
    request.setAttribute(ATTRIBUTE, this);
  }

  /// Counts the statement of a write whose body has arrived in several requests.
  ///
  /// @param request the last of them
  /// @param path that of the write
  /// @throws dev.quiver.server.http.ProblemException 429 if the principal has too many
  public static void beginStatement(
      HttpServletRequest request,
      String path,
      @Nullable String query,
      @Nullable String contentType) {
    if (PrincipalUsages.runsStatement(path, query, contentType)
        && request.getAttribute(ATTRIBUTE) instanceof RequestPlace place) {
      place.beginStatement();
    }
  }

  private void beginStatement() {
    synchronized (lock) {
      if (hasStatement || usage.beginStatement()) {
        hasStatement = true;
        return;
      }
    }
    metrics.count(usage.statementLimit());
    throw PrincipalUsages.problem(usage.statementLimit()).asException();
  }

  /// Takes the place of a statement over from a request, if it has one.
  ///
  /// @return ends the statement, called once
  public static Runnable takeStatement(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof RequestPlace place
        ? place.takeStatement()
        : () -> {};
  }

  private Runnable takeStatement() {
    synchronized (lock) {
      if (!hasStatement) {
        return () -> {};
      }
      hasStatement = false;
      return () -> {
        synchronized (lock) {
          usage.endStatement();
        }
      };
    }
  }

  /// Gives the place back, once.
  void end() {
    synchronized (lock) {
      if (inProgress) {
        inProgress = false;
        usage.endRequest();
      }
      if (hasStatement) {
        hasStatement = false;
        usage.endStatement();
      }
    }
  }

  @Override
  public void onComplete(AsyncEvent event) {
    end();
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    // Its completion follows.
  }

  @Override
  public void onError(AsyncEvent event) {
    // Its completion follows.
  }

  @Override
  public void onStartAsync(AsyncEvent event) {
    event.getAsyncContext().addListener(this);
  }
}
