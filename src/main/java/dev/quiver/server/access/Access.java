package dev.quiver.server.access;

import dev.quiver.arrow.parallel.Claimant;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.PublicPath;
import dev.quiver.server.http.RequestHead;
import dev.quiver.store.access.Permissions;
import dev.quiver.store.access.Principal;
import dev.quiver.store.access.PrincipalLimits;
import dev.quiver.store.catalog.Writer;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetNotFoundException;
import dev.quiver.store.version.DatasetReference;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;

/// The principal of a request, its limits, and what the audit log says of the request.
public final class Access {

  private static final String ATTRIBUTE = Access.class.getName();

  private final Principal principal;
  private final Claimant claimant;
  private final PrincipalLimits limits;
  private final Route.Found route;
  private final Set<String> earlier;
  private final @Nullable Instant linkEnd;
  private final String requestId;
  private boolean isDenied;
  private @Nullable RequestPlace place;
  private @Nullable AuditedWrite audited;
  private @Nullable DatasetReference auditedDataset;

  /// @param linkEnd the end of the link that permits the request, or null if it needs none
  Access(
      Principal principal,
      Claimant claimant,
      PrincipalLimits limits,
      Route.Found route,
      Set<String> earlier,
      @Nullable Instant linkEnd,
      String requestId) {
    this.principal = principal;
    this.claimant = claimant;
    this.limits = limits;
    this.route = route;
    this.earlier = earlier;
    this.linkEnd = linkEnd;
    this.requestId = requestId;
  }

  public Principal principal() {
    return principal;
  }

  /// Returns the one on whose account the request is handled.
  Claimant claimant() {
    return claimant;
  }

  public PrincipalLimits limits() {
    return limits;
  }

  Route.Found route() {
    return route;
  }

  /// Returns the names that paths of the request may have although they are reserved.
  public Set<String> earlierNames() {
    return earlier;
  }

  public String requestId() {
    return requestId;
  }

  /// Returns the access of a request that has passed the filters.
  public static Access of(HttpServletRequest request) {
    return (Access) Objects.requireNonNull(request.getAttribute(ATTRIBUTE));
  }

  /// Returns the access of a request, or null if it has not passed the filters.
  public static @Nullable Access find(HttpServletRequest request) {
    return (Access) request.getAttribute(ATTRIBUTE);
  }

  /// Remembers that the request was denied, which its status may not show.
  void deny() {
    isDenied = true;
  }

  boolean isDenied() {
    return isDenied;
  }

  /// Returns whether a link permits the request.
  boolean isLinked() {
    return linkEnd != null;
  }

  /// Returns the time from which the request may not read any more.
  public Instant end() {
    return linkEnd == null ? Instant.MAX : linkEnd;
  }

  /// Rejects a request that has waited for longer than it may read.
  ///
  /// @throws dev.quiver.server.http.ProblemException 401
  public void requireCurrent() {
    if (!Instant.now().isBefore(end())) {
      throw Challenge.expired().asException();
    }
  }

  /// Makes the audit log report a write whose last part the request has.
  ///
  /// @param path that of the write, as a client sends it
  /// @param byteSize the size of the whole body
  public void recordAs(String method, String path, long byteSize) {
    audited = new AuditedWrite(method, path, byteSize);
  }

  /// A write that the audit log reports in place of the request that completes it.
  record AuditedWrite(String method, String path, long byteSize) {}

  /// Returns the write to report, or null if it is the request itself.
  @Nullable AuditedWrite audited() {
    return audited;
  }

  /// Makes the audit log name the dataset of a request whose path does not.
  ///
  /// @param method the method of another request, whose path names it
  /// @param path the path of that request, as a client sends it
  public void recordDatasetOf(String method, String path) {
    DatasetReference dataset = find(method, path).dataset();
    if (dataset != null) {
      recordDataset(dataset);
    }
  }

  /// Makes the audit log name a dataset.
  public void recordDataset(DatasetReference dataset) {
    auditedDataset = dataset;
  }

  /// Returns the dataset to name, or null if the path names it.
  @Nullable DatasetReference auditedDataset() {
    return auditedDataset;
  }

  /// Gives the request a place among those of its principal.
  void enter(RequestPlace given) {
    place = given;
  }

  /// Counts the statement of a write whose body has arrived in several requests.
  ///
  /// @param write the head of the write
  /// @throws dev.quiver.server.http.ProblemException 429 if the principal has too many
  public void beginStatement(RequestHead write) {
    if (place != null
        && find(write.method(), write.path())
            .runsStatement(write.parameters(), write.contentType())) {
      place.beginStatement();
    }
  }

  /// Takes the place of a statement over from the request, if it has one.
  ///
  /// @return ends the statement, called once
  public Runnable takeStatement() {
    return place == null ? () -> {} : place.takeStatement();
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
    return of(request).principal();
  }

  /// Returns the permissions of the principal of a request.
  public static Permissions permissions(HttpServletRequest request) {
    return of(request).principal().permissions();
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
      throw Challenge.required().asException();
    }
    if (generated) {
      throw Problem.of(
              ProblemType.FORBIDDEN,
              "Expected the permission to write but found none at the generated name " + name)
          .withHint(
              "Send the data by PUT %s/datasets/NAME, with a name that the token may write."
                  .formatted(PublicPath.prefix()))
          .asException();
    }
    throw denial(principal.permissions(), new DatasetReference(name, null)).asException();
  }

  /// Rejects a request that the service makes for a client.
  ///
  /// @param path as a client sends it
  /// @throws dev.quiver.server.http.ProblemException 401, 403 or 404
  public void require(String method, String path) {
    Problem denial = find(method, path).denial(principal, method);
    if (denial != null) {
      throw (principal.isAnonymous() ? Challenge.required() : denial).asException();
    }
  }

  private Route.Found find(String method, String path) {
    return Route.find(method, PathContainer.parsePath(path), earlier);
  }

  /// Returns the problem of a dataset that may be read but not written, or of one that may not be
  /// read. The latter is the response for a name that never existed.
  static Problem denial(Permissions permissions, DatasetReference reference) {
    return permissions.mayRead(reference.name())
        ? Problem.of(
                ProblemType.FORBIDDEN,
                "Expected the permission to write but found that to read at " + reference)
            .withHint(
                "Use a token with the permission write:%s, which quiver.auth.tokens gives."
                    .formatted(reference.name()))
        : Problem.of(
            ProblemType.NOT_FOUND,
            String.valueOf(new DatasetNotFoundException(reference).getMessage()));
  }
}
