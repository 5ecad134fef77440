package dev.quiver.web.filter;

import dev.quiver.config.QuiverProperties;
import dev.quiver.web.problem.Problem;
import dev.quiver.web.problem.ProblemType;
import dev.quiver.web.problem.ProblemWriter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/// Requires `quiver.token` for writes, and for reads with `quiver.token-required-for=all`. The
/// token is accepted in the header only: RFC 6750.
///
/// A request is rejected before its body is read. A POST that stores nothing counts as a read.
/// `/health`, OPTIONS, the documents and the OpenAPI document require no token. Neither does
/// Swagger UI, since a browser has no token yet when it loads the page.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 35)
public final class TokenFilter extends HttpFilter {

  private static final long serialVersionUID = 1;

  private static final Pattern TOKEN = Pattern.compile("[0-9A-Za-z._~+/-]+=*");

  /// The scheme is case-insensitive.
  private static final Pattern BEARER = Pattern.compile("(?i:Bearer) +(" + TOKEN + ") *");

  private static final Set<String> READS = Set.of("GET", "HEAD");
  private static final Set<String> UNRESTRICTED = Set.of("OPTIONS", "TRACE");

  /// The paths that reveal nothing about the datasets.
  private static final Pattern EXEMPT_PATHS =
      Pattern.compile("/health|/api|/docs(/.*)?|/swagger-ui/.*|/openapi(\\.yaml)?");

  private final transient byte @Nullable [] token;
  private final boolean forReads;

  /// @throws IllegalArgumentException if the token is malformed, or missing although it is required
  public TokenFilter(QuiverProperties properties) {
    String configured = properties.token();
    this.token = configured.isEmpty() ? null : bytes(configured);
    this.forReads = properties.tokenRequiredFor() == QuiverProperties.TokenRequiredFor.ALL;
    if (token != null && !TOKEN.matcher(configured).matches()) {
      throw new IllegalArgumentException(
          "Expected letters, digits, -._~+/ and trailing = but found other characters at"
              + " quiver.token");
    }
    if (token == null && forReads) {
      throw new IllegalArgumentException(
          "Expected a token but found none at quiver.token, with quiver.token-required-for=all");
    }
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Problem problem = token == null || isExempt(request) ? null : problem(request, token);
    if (problem == null) {
      chain.doFilter(request, response);
    } else {
      ProblemWriter.write(request, response, problem);
    }
  }

  private boolean isExempt(HttpServletRequest request) {
    if (UNRESTRICTED.contains(request.getMethod())
        || EXEMPT_PATHS.matcher(request.getServletPath()).matches()) {
      return true;
    }
    boolean reads = READS.contains(request.getMethod()) || WriteFilter.storesNothing(request);
    return reads && !forReads;
  }

  private static @Nullable Problem problem(HttpServletRequest request, byte[] token) {
    String header = request.getHeader("Authorization");
    if (header == null) {
      return unauthorized("none", "Bearer realm=\"quiver\"");
    }
    Matcher bearer = BEARER.matcher(header);
    // Takes the same time for every wrong token.
    boolean valid = bearer.matches() && MessageDigest.isEqual(bytes(bearer.group(1)), token);
    return valid
        ? null
        : unauthorized("another", "Bearer realm=\"quiver\", error=\"invalid_token\"");
  }

  private static Problem unauthorized(String found, String challenge) {
    return Problem.of(
            ProblemType.UNAUTHORIZED,
            "Expected the bearer token of this service but found %s at header Authorization"
                .formatted(found))
        .withHeader("WWW-Authenticate", challenge);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
