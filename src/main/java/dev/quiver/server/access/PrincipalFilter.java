package dev.quiver.server.access;

import dev.quiver.server.http.CacheControl;
import dev.quiver.server.http.VaryHeader;
import dev.quiver.store.access.Permissions;
import dev.quiver.store.access.Principal;
import dev.quiver.store.version.DatasetReference;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;

/// Finds the principal of a request. One with invalid credentials is anonymous, which may suffice.
///
/// A link permits to read one dataset as well. The filter also restricts the caches of a response
/// that depends on the principal.
final class PrincipalFilter extends HttpFilter {

  private static final long serialVersionUID = 1;

  private final transient AuthenticationManager manager;
  private final transient AccessPolicy policy;
  private final transient Principal anonymous;
  private final transient Links links;
  private final AnonymousAuthenticationToken anonymousToken;

  PrincipalFilter(AuthenticationManager manager, AccessPolicy policy, Links links) {
    this.manager = manager;
    this.policy = policy;
    this.anonymous = policy.anonymous();
    this.links = links;
    this.anonymousToken =
        new AnonymousAuthenticationToken(
            anonymous.id(),
            anonymous.id(),
            List.of(new SimpleGrantedAuthority(Principal.ANONYMOUS)));
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Authentication authentication = authenticate(request);
    SecurityContextHolder.getContext().setAuthentication(authentication);
    Principal principal =
        authentication.getPrincipal() instanceof Principal known ? known : anonymous;
    Route.Found route = Route.of(request);
    DatasetReference reference = route.dataset();
    if (reference != null && links.permits(request, route)) {
      principal = principal.withRead(reference.name());
      Access.link(request);
      CacheControl.restrict(response);
      response.setHeader("Referrer-Policy", "no-referrer");
    }
    new Access(principal, policy.limits(principal)).attachTo(request);
    restrictCaches(route, request, response);
    chain.doFilter(request, response);
  }

  private Authentication authenticate(HttpServletRequest request) {
    if (!Credentials.isPresent(request)) {
      return anonymousToken;
    }
    try {
      String token = Credentials.token(request);
      if (token == null) {
        throw new BadCredentialsException("Expected a token but found none");
      }
      return manager.authenticate(new BearerTokenAuthenticationToken(token));
    } catch (AuthenticationException e) {
      Challenge.reject(request, e);
      return anonymousToken;
    }
  }

  private void restrictCaches(
      Route.Found route, HttpServletRequest request, HttpServletResponse response) {
    Permissions open = anonymous.permissions();
    boolean depends =
        switch (route.requirement()) {
          case NOTHING -> false;
          case JOB -> !open.readsJobs();
          case UPLOAD -> !open.isAdmin();
          case READ_SOME, READ_ALL, READ, WRITE_SOME, WRITE, STATEMENT -> !open.readsAll();
        };
    boolean cacheable = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
    if (!depends || !cacheable) {
      return;
    }
    VaryHeader.add(response, "Authorization");
    DatasetReference reference = route.requirement() == Requirement.READ ? route.dataset() : null;
    if (reference == null || !open.mayRead(reference.name())) {
      CacheControl.restrict(response);
    }
  }
}
