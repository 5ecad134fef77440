package dev.quiver.server.access;

import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.store.access.Permissions;
import dev.quiver.store.access.Principal;
import dev.quiver.store.access.PrincipalLimits;
import dev.quiver.store.catalog.Writer;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetNotFoundException;
import dev.quiver.store.version.DatasetReference;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;

/// The principal of a request and its limits, as long as the request lasts.
public record Access(Principal principal, PrincipalLimits limits) {

  private static final String ATTRIBUTE = Access.class.getName();
  private static final String DENIED = ATTRIBUTE + ".denied";
  private static final String LINKED = ATTRIBUTE + ".linked";

  /// Returns the access of a request that has passed the filters.
  public static Access of(HttpServletRequest request) {
    return (Access) Objects.requireNonNull(request.getAttribute(ATTRIBUTE));
  }

  /// Returns the access of a request, or null if it has not passed the filters.
  public static @Nullable Access find(HttpServletRequest request) {
    return (Access) request.getAttribute(ATTRIBUTE);
  }

  /// Remembers that a request was denied, which its status may not show.
  static void deny(HttpServletRequest request) {
    request.setAttribute(DENIED, true);
  }

  public static boolean isDenied(HttpServletRequest request) {
    return request.getAttribute(DENIED) != null;
  }

  /// Remembers that a link permits a request.
  static void link(HttpServletRequest request) {
    request.setAttribute(LINKED, true);
  }

  public static boolean isLinked(HttpServletRequest request) {
    return request.getAttribute(LINKED) != null;
  }

  void attachTo(HttpServletRequest request) {
    request.setAttribute(ATTRIBUTE, this);
  }

  /// Returns the principal as the writer of a version.
  public Writer writer() {
    return new Writer(principal.id(), limits.storedBytes());
  }

  /// Returns the principal of a request that has passed the filters.
  public static Principal principal(HttpServletRequest request) {
    return of(request).principal;
  }

  /// Returns the permissions of the principal of a request.
  public static Permissions permissions(HttpServletRequest request) {
    return of(request).principal.permissions();
  }

  /// Rejects a write of a dataset whose name is not in the path of the request.
  ///
  /// @param generated whether the service chose the name
  /// @throws dev.quiver.server.http.ProblemException 401, 403 or 404
  public void requireWritable(DatasetName name, boolean generated) {
    if (principal.permissions().mayWrite(name)) {
      return;
    }
    if (principal.isAnonymous()) {
      throw Challenge.problem("none").withHeader(Challenge.HEADER, Challenge.BEARER).asException();
    }
    if (generated) {
      throw Problem.of(
              ProblemType.FORBIDDEN,
              "Expected the permission to write but found none at the generated name " + name)
          .asException();
    }
    throw denial(principal.permissions(), new DatasetReference(name, null)).asException();
  }

  /// Rejects a request that the service makes for a client.
  ///
  /// @param path as a client sends it
  /// @throws dev.quiver.server.http.ProblemException 401, 403 or 404
  public void require(String method, String path) {
    Problem denial = Route.find(method, PathContainer.parsePath(path)).denial(principal, method);
    if (denial != null) {
      throw (principal.isAnonymous()
              ? Challenge.problem("none").withHeader(Challenge.HEADER, Challenge.BEARER)
              : denial)
          .asException();
    }
  }

  /// Returns the problem of a dataset that may be read but not written, or of one that may not be
  /// read. The latter is the response for a name that never existed.
  static Problem denial(Permissions permissions, DatasetReference reference) {
    return permissions.mayRead(reference.name())
        ? Problem.of(
            ProblemType.FORBIDDEN,
            "Expected the permission to write but found that to read at " + reference)
        : Problem.of(
            ProblemType.NOT_FOUND,
            String.valueOf(new DatasetNotFoundException(reference).getMessage()));
  }
}
