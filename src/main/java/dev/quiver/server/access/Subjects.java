package dev.quiver.server.access;

import dev.quiver.store.access.NamePattern;
import dev.quiver.store.access.Permission;
import dev.quiver.store.access.Permission.Right;
import dev.quiver.store.access.Permissions;
import dev.quiver.store.access.Principal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.springframework.core.convert.converter.Converter;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;
import org.springframework.security.oauth2.server.resource.authentication.JwtGrantedAuthoritiesConverter;

/// The principals of JWTs. Their scopes give the rights, and a claim the patterns of names. Without
/// that claim, a JWT gives a right to no dataset, unless it is `quiver:admin`.
final class Subjects implements Converter<Jwt, AbstractAuthenticationToken> {

  private static final String SCOPE = "SCOPE_quiver:";

  private final JwtGrantedAuthoritiesConverter scopes = new JwtGrantedAuthoritiesConverter();
  private final String namesClaim;
  private final Permissions open;

  /// @param open the permissions of every principal
  Subjects(String namesClaim, Permissions open) {
    this.namesClaim = namesClaim;
    this.open = open;
  }

  @Override
  public AbstractAuthenticationToken convert(Jwt jwt) {
    List<String> found = scopes.convert(jwt).stream().map(GrantedAuthority::getAuthority).toList();
    List<Permission> granted = new ArrayList<>();
    try {
      if (found.contains(SCOPE + "admin")) {
        granted.add(new Permission(Right.ADMIN, NamePattern.ALL));
      }
      for (String name : names(jwt)) {
        NamePattern pattern = new NamePattern(name);
        if (found.contains(SCOPE + "read")) {
          granted.add(new Permission(Right.READ, pattern));
        }
        if (found.contains(SCOPE + "write")) {
          granted.add(new Permission(Right.WRITE, pattern));
        }
      }
    } catch (IllegalArgumentException e) {
      throw new InvalidBearerTokenException(String.valueOf(e.getMessage()), e);
    }
    return new AuthenticatedPrincipal(
        Principal.ofSubject(
            Objects.requireNonNull(jwt.getSubject()), Permissions.of(granted).and(open)));
  }

  /// Returns the patterns of names: the elements of a list, or the words of a text.
  private List<String> names(Jwt jwt) {
    return switch (jwt.getClaims().get(namesClaim)) {
      case Collection<?> list -> list.stream().map(String::valueOf).toList();
      case String text ->
          Arrays.stream(text.strip().split(" +")).filter(s -> !s.isEmpty()).toList();
      case null, default -> List.of();
    };
  }
}
