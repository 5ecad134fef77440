package dev.quiver.server.access;

import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.store.access.Permissions;
import dev.quiver.store.access.Principal;
import dev.quiver.store.version.DatasetReference;
import jakarta.servlet.http.HttpServletRequest;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.core.Authentication;

/// Decides whether a principal may do what a request asks, by its method and path alone. The store
/// is not asked, so a dataset that may not be read is as one that never existed.
final class RouteAuthorization implements AuthorizationManager<HttpServletRequest> {

  /// A decision.
  ///
  /// @param denial the response to a principal that is not anonymous, or null if it is granted
  record Decision(@Nullable Problem denial) implements AuthorizationResult {

    private static final Decision GRANTED = new Decision(null);

    @Override
    public boolean isGranted() {
      return denial == null;
    }
  }

  @Override
  public Decision authorize(
      Supplier<? extends @Nullable Authentication> authentication, HttpServletRequest request) {
    return decide(Access.of(request).principal(), Route.of(request), request.getMethod());
  }

  static Decision decide(Principal principal, Route.Found route, String method) {
    Permissions permissions = principal.permissions();
    return switch (route.requirement()) {
      case NOTHING -> Decision.GRANTED;
      case READ_SOME, STATEMENT -> require(permissions.readsSome(), "to read", "none");
      case READ_ALL -> require(permissions.readsAll(), "to read every dataset", "others");
      case WRITE_SOME -> require(permissions.writesSome(), "to write", found(permissions));
      case UPLOAD -> require(mayHaveJobs(principal, "DELETE"), "to write", found(permissions));
      case JOB -> require(mayHaveJobs(principal, method), "to write", found(permissions));
      case READ, WRITE -> {
        DatasetReference reference = route.dataset();
        if (reference == null) {
          // Its handler rejects a name that no dataset can have.
          yield route.requirement() == Requirement.READ
              ? require(permissions.readsSome(), "to read", "none")
              : require(permissions.writesSome(), "to write", found(permissions));
        }
        boolean granted =
            route.requirement() == Requirement.READ
                ? permissions.mayRead(reference.name())
                : permissions.mayWrite(reference.name());
        yield granted ? Decision.GRANTED : new Decision(Access.denial(permissions, reference));
      }
    };
  }

  /// Returns whether a principal may have begun a job. Others than anonymous learn of none.
  private static boolean mayHaveJobs(Principal principal, String method) {
    Permissions permissions = principal.permissions();
    return !principal.isAnonymous()
        || permissions.writesSome()
        || permissions.readsJobs() && !method.equals("DELETE");
  }

  private static String found(Permissions permissions) {
    return permissions.readsSome() ? "only those to read" : "none";
  }

  private static Decision require(boolean granted, String expected, String found) {
    return granted
        ? Decision.GRANTED
        : new Decision(
            Problem.of(
                ProblemType.FORBIDDEN,
                "Expected a permission %s but found %s at the credentials"
                    .formatted(expected, found)));
  }
}
