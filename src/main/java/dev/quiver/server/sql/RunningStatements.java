package dev.quiver.server.sql;

import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.sql.query.ReadProgress;
import dev.quiver.store.access.Principal;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// The statements of this service that their clients have named, from their arrival to the end of
/// their responses. There are at most as many as requests in progress. Shared by threads.
@Component
final class RunningStatements {

  private final ConcurrentMap<Key, Running> named = new ConcurrentHashMap<>();

  /// Principals choose ids independently, and learn nothing of others' ids.
  private record Key(String principal, String id) {}

  private record Running(ReadProgress progress, long begunAtNanos) {}

  /// The presence of a statement, until it is closed.
  @FunctionalInterface
  interface Presence extends AutoCloseable {

    @Override
    void close();
  }

  /// Adds a statement.
  ///
  /// @param id the name of the statement, or null if it has none
  /// @return its presence, or null if it has no name
  /// @throws dev.quiver.server.http.ProblemException 409 if the principal runs one of this name
  @Nullable Presence begin(Principal principal, @Nullable String id, ReadProgress progress) {
    if (id == null) {
      return null;
    }
    Key key = new Key(principal.id(), id);
    if (named.putIfAbsent(key, new Running(progress, System.nanoTime())) != null) {
      throw Problem.of(
              ProblemType.CONFLICT,
              "Expected an id that no statement of this principal has now but found %s at header %s"
                  .formatted(id, StatementId.NAME))
          .withHint("Choose another id for each statement, such as a UUID.")
          .asException();
    }
    return () -> named.remove(key);
  }

  /// Returns the progress of a principal's statement. Another principal's is unknown.
  StatementDocument find(Principal principal, String id) {
    Running running = named.get(new Key(principal.id(), id));
    return running == null
        ? StatementDocument.unknown(id)
        : StatementDocument.of(
            id, running.progress, Duration.ofNanos(System.nanoTime() - running.begunAtNanos));
  }
}
