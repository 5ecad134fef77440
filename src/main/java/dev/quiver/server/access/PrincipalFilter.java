package dev.quiver.server.access;

import dev.quiver.arrow.parallel.Claimant;
import dev.quiver.server.http.CacheControl;
import dev.quiver.server.http.ClientNetwork;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemWriter;
import dev.quiver.server.http.RequestId;
import dev.quiver.server.http.VaryHeader;
import dev.quiver.store.Datasets;
import dev.quiver.store.access.Permissions;
import dev.quiver.store.access.Principal;
import dev.quiver.store.version.DatasetReference;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import java.util.Set;
import org.springframework.boot.web.servlet.FilterRegistration;
import org.springframework.core.Ordered;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import org.springframework.stereotype.Component;

/// Finds the principal of a request, and rejects the request if the principal lacks the permission
/// that the route requires. One with invalid credentials is anonymous, which may suffice.
///
/// The filters of hosts and origins come before, filters that read the request after.
///
/// A link permits to read one dataset as well. The filter also restricts the caches of a response
/// that depends on the principal.
///
/// All of a request is done on the account of its principal, or of its client if that is anonymous;
/// also what follows a wait, for which the request is dispatched again.
@Component
@FilterRegistration(
    order = Ordered.HIGHEST_PRECEDENCE + 35,
    dispatcherTypes = {DispatcherType.REQUEST, DispatcherType.ASYNC})
public final class PrincipalFilter extends HttpFilter {

  private static final long serialVersionUID = 1;

  private final transient AuthenticationManager manager;
  private final transient AccessPolicy policy;
  private final transient Principal anonymous;
  private final transient Links links;
  private final transient ListenAddress address;
  private final transient PathHints hints;
  private final transient Set<String> earlier;

  PrincipalFilter(
      AuthenticationManager manager,
      AccessPolicy policy,
      Links links,
      ListenAddress address,
      PathHints hints,
      Datasets datasets) {
    this.manager = manager;
    this.policy = policy;
    this.anonymous = policy.anonymous();
    this.links = links;
    this.address = address;
    this.hints = hints;
    this.earlier = datasets.listing().earlierNames().all();
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Access present = Access.find(request);
    if (present != null) {
      proceed(request, response, chain, present.claimant());
      return;
    }
    Principal principal = anonymous;
    AuthenticationException rejected = null;
    try {
      principal = authenticate(request);
    } catch (AuthenticationException e) {
      rejected = e;
    }
    Route.Found route = Route.of(request, earlier);
    DatasetReference reference = route.dataset();
    Instant linkEnd = links.end(request, route);
    if (reference != null && linkEnd != null) {
      principal = principal.withRead(reference.name());
      CacheControl.restrict(response);
      response.setHeader("Referrer-Policy", "no-referrer");
    }
    Claimant claimant = claimant(principal, request);
    Access access =
        new Access(
            principal,
            claimant,
            policy.limits(principal),
            route,
            earlier,
            linkEnd,
            RequestId.of(request));
    access.attachTo(request);
    restrictCaches(route, request, response);
    Problem denial = route.denial(principal, request.getMethod());
    if (denial == null) {
      proceed(request, response, chain, claimant);
    } else if (principal.isAnonymous()) {
      Challenge.send(request, response, rejected);
    } else {
      access.deny();
      ProblemWriter.write(request, response, hinted(denial, request));
    }
  }

  /// Adds what helps, whether a dataset of the name exists or not.
  private Problem hinted(Problem denial, HttpServletRequest request) {
    if (denial.hasHint()) {
      return denial;
    }
    return denial.withHint(Links.isIn(request) ? Challenge.LINK_HINT : hints.of(request));
  }

  /// Returns the principal, or for an anonymous one its client, as far as addresses tell.
  private Claimant claimant(Principal principal, HttpServletRequest request) {
    if (!principal.isAnonymous()) {
      return new Claimant(principal.id(), /* isAlone= */ false);
    }
    // Null once the connection is closed.
    String remote = request.getRemoteAddr();
    String network = remote == null ? "" : ClientNetwork.of(remote).prefix();
    return new Claimant("network:" + network, address.isOfOnlyUser(request));
  }

  private static void proceed(
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain,
      Claimant claimant)
      throws IOException, ServletException {
    try {
      claimant.call(() -> {
        chain.doFilter(request, response);
        return null;
      });
    } catch (IOException | ServletException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new ServletException(e);
    }
  }

  private Principal authenticate(HttpServletRequest request) {
    if (request.getHeader("Authorization") == null) {
      return anonymous;
    }
    String token = Credentials.token(request);
    if (token == null) {
      throw new BadCredentialsException("Expected a token but found none");
    }
    return manager.authenticate(new BearerTokenAuthenticationToken(token)).getPrincipal()
            instanceof Principal known
        ? known
        : anonymous;
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
