package dev.quiver.server.access;

import dev.quiver.arrow.codec.Sha256;
import dev.quiver.server.config.AuthProperties;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.store.access.Permissions;
import dev.quiver.store.access.Principal;
import dev.quiver.store.access.PrincipalLimits;
import dev.quiver.store.version.DatasetName;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerProperties;
import org.springframework.stereotype.Component;

/// The configured principals. Without any, every client may do everything.
///
/// With `quiver.token` alone, every client may read, unless the token is required for all requests.
/// With named tokens or an issuer, anonymous may do nothing but what is configured. All principals
/// may do what anonymous may.
@Component
public final class AccessPolicy {

  private final Principal anonymous;
  private final boolean hasCredentials;
  private final boolean hasIssuer;
  private final List<KnownToken> tokens = new ArrayList<>();
  private final PrincipalLimits limits;
  private final Map<String, PrincipalLimits> ownLimits = new HashMap<>();

  /// A token and its principal.
  ///
  /// @param digest the SHA-256 of the token
  record KnownToken(byte[] digest, Principal principal) {}

  public AccessPolicy(QuiverProperties properties, OAuth2ResourceServerProperties resourceServer) {
    AuthProperties auth = properties.auth();
    boolean hasToken = !properties.token().isEmpty();
    this.hasIssuer = Issuer.isConfigured(resourceServer);
    boolean hasNames = !auth.tokens().isEmpty() || hasIssuer;
    this.hasCredentials = hasToken || hasNames;
    Permissions open;
    if (!auth.anonymous().isEmpty()) {
      open = auth.anonymousGranted();
    } else if (hasNames || properties.tokenRequiredFor() == QuiverProperties.TokenRequiredFor.ALL) {
      open = Permissions.NONE;
    } else {
      open = hasToken ? Permissions.READ_EVERYTHING : Permissions.ADMIN;
    }
    this.anonymous = Principal.anonymous(open);
    if (hasToken) {
      byte[] digest = Sha256.digest(properties.token());
      Principal admin = new Principal(Principal.UNNAMED_TOKEN, Permissions.ADMIN);
      tokens.add(new KnownToken(digest, admin));
    }
    this.limits = auth.limits().limits();
    for (AuthProperties.Token token : auth.tokens()) {
      Permissions granted = token.granted().and(open);
      Principal principal = Principal.ofToken(token.name(), granted);
      tokens.add(new KnownToken(token.digest(), principal));
      ownLimits.put(principal.id(), token.limits().limits(limits));
    }
  }

  /// Returns the principal of requests without credentials, and of those with invalid ones.
  public Principal anonymous() {
    return anonymous;
  }

  /// Returns whether there are tokens or an issuer.
  public boolean hasCredentials() {
    return hasCredentials;
  }

  /// Returns whether a client needs credentials to write datasets of some names.
  public boolean requiresCredentialsToWrite() {
    return !anonymous.permissions().writesAll();
  }

  /// Returns whether a principal may write a dataset now. One of an issuer is not known here: it
  /// may as long as there is an issuer.
  ///
  /// @param principal the SHA-256 of its id
  /// @param subject whether it is one of an issuer
  boolean mayStillWrite(byte[] principal, boolean subject, DatasetName name) {
    if (subject) {
      return hasIssuer;
    }
    return Stream.concat(Stream.of(anonymous), tokens.stream().map(KnownToken::principal))
        .filter(known -> MessageDigest.isEqual(principal, Sha256.digest(known.id())))
        .anyMatch(known -> known.permissions().mayWrite(name));
  }

  /// Returns whether the requests of some principals are limited.
  boolean limitsRequests() {
    return limits.areOfRequests()
        || ownLimits.values().stream().anyMatch(PrincipalLimits::areOfRequests);
  }

  /// Returns the limits of a principal.
  PrincipalLimits limits(Principal principal) {
    return ownLimits.getOrDefault(principal.id(), limits);
  }

  List<KnownToken> tokens() {
    return List.copyOf(tokens);
  }
}
