package dev.quiver.server.access;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/// The place of a request among its principal's, until the request ends.
///
/// A job that goes on with the statement of a request keeps its place among the statements.
final class RequestPlace implements AsyncListener {

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

  /// Counts the statement of a write whose body has arrived in several requests.
  ///
  /// @throws dev.quiver.server.http.ProblemException 429 if the principal has too many
  void beginStatement() {
    synchronized (lock) {
      if (hasStatement || usage.beginStatement()) {
        hasStatement = true;
        return;
      }
    }
    metrics.count(usage.statementLimit());
    throw PrincipalUsages.problem(usage.statementLimit()).asException();
  }

  /// Takes the place of a statement over from the request, if it has one.
  ///
  /// @return ends the statement, called once
  Runnable takeStatement() {
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
