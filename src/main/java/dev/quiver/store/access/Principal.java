package dev.quiver.store.access;

import dev.quiver.store.version.DatasetName;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The origin of a request: a token, a subject of an issuer, or anonymous.
///
/// @param id what a store keeps of it: `token:NAME`, `subject:SUB`, or one of the constants
public record Principal(String id, Permissions permissions) {

  /// The id of all requests without credentials.
  public static final String ANONYMOUS = "anonymous";

  /// The id of requests with the token that has no name.
  public static final String UNNAMED_TOKEN = "token";

  /// The service itself, for work that contains no statement of a client.
  public static final Principal SERVICE = new Principal("service", Permissions.NONE);

  private static final String SUBJECT = "subject:";

  public static Principal anonymous(Permissions permissions) {
    return new Principal(ANONYMOUS, permissions);
  }

  /// Returns the principal of a named token.
  public static Principal ofToken(String name, Permissions permissions) {
    return new Principal("token:" + name, permissions);
  }

  /// Returns the principal of a subject.
  public static Principal ofSubject(String subject, Permissions permissions) {
    return new Principal(SUBJECT + subject, permissions);
  }

  /// Returns this principal with the permission to read one more dataset.
  public Principal withRead(DatasetName name) {
    Permission read = new Permission(Permission.Right.READ, new NamePattern(name.value()));
    return new Principal(id, permissions.and(new Permissions(Set.of(read), false)));
  }

  /// Returns whether this is a subject of an issuer.
  public boolean isSubject() {
    return id.startsWith(SUBJECT);
  }

  public boolean isAnonymous() {
    return id.equals(ANONYMOUS);
  }

  /// Returns whether a job may be read.
  ///
  /// @param owner the id of the principal that began it, or null if unknown
  public boolean mayReadJobOf(@Nullable String owner) {
    return permissions.readsJobs() || id.equals(owner);
  }

  /// Returns whether a job may be cancelled.
  ///
  /// @param owner the id of the principal that began it, or null if unknown
  public boolean mayCancelJobOf(@Nullable String owner) {
    return permissions.isAdmin() || id.equals(owner);
  }
}
