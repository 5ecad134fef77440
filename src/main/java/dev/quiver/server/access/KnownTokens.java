package dev.quiver.server.access;

import dev.quiver.arrow.codec.Sha256;
import java.security.MessageDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;

/// The tokens of the configuration. Whether a token is one of them takes the same time for each.
final class KnownTokens implements AuthenticationProvider {

  private final List<AccessPolicy.KnownToken> tokens;

  KnownTokens(List<AccessPolicy.KnownToken> tokens) {
    this.tokens = tokens;
  }

  /// Returns the principal of a token, or null if unknown.
  @Override
  public @Nullable Authentication authenticate(Authentication request) {
    String token = ((BearerTokenAuthenticationToken) request).getToken();
    byte[] digest = Sha256.digest(token);
    AccessPolicy.KnownToken found = null;
    for (AccessPolicy.KnownToken known : tokens) {
      if (MessageDigest.isEqual(known.digest(), digest)) {
        found = known;
      }
    }
    return found == null ? null : new AuthenticatedPrincipal(found.principal());
  }

  @Override
  public boolean supports(Class<?> authentication) {
    return BearerTokenAuthenticationToken.class.isAssignableFrom(authentication);
  }
}
