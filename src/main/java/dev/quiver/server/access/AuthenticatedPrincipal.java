package dev.quiver.server.access;

import dev.quiver.store.access.Principal;
import java.util.List;
import org.springframework.security.authentication.AbstractAuthenticationToken;

/// The principal of a verified token. Its authorities are its permissions.
final class AuthenticatedPrincipal extends AbstractAuthenticationToken {

  private static final long serialVersionUID = 1;

  private final transient Principal principal;

  AuthenticatedPrincipal(Principal principal) {
    super(List.of());
    this.principal = principal;
    setAuthenticated(true);
  }

  @Override
  public Principal getPrincipal() {
    return principal;
  }

  /// Returns an empty text, since tokens are not kept.
  @Override
  public Object getCredentials() {
    return "";
  }
}
