package dev.quiver.server.access;

import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.http.ProblemWriter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationProvider;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.access.ExceptionTranslationFilter;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.firewall.FirewalledRequest;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.savedrequest.NullRequestCache;
import org.springframework.security.web.util.matcher.AnyRequestMatcher;

/// The filters of Spring Security that the service uses, in one chain: the ones that find the
/// principal, and the one that asks whether it may do what the request asks.
///
/// The chain is built here instead of by `HttpSecurity`, which adds sessions, saved requests, CSRF
/// tokens and headers by default, and takes longer to start.
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(OAuth2ResourceServerProperties.class)
class SecurityConfiguration {

  /// The time between two failed attempts to ask the issuer.
  private static final Duration ISSUER_INTERVAL = Duration.ofSeconds(5);

  /// The filters of hosts and origins come before, filters that read the request after.
  @Bean
  FilterRegistrationBean<FilterChainProxy> securityFilter(
      AccessPolicy policy,
      Links links,
      PrincipalMetrics metrics,
      QuiverProperties properties,
      OAuth2ResourceServerProperties resourceServer) {
    List<AuthenticationProvider> providers = new ArrayList<>();
    providers.add(new KnownTokens(policy.tokens()));
    if (Issuer.isConfigured(resourceServer)) {
      JwtAuthenticationProvider jwts =
          new JwtAuthenticationProvider(new Issuer(resourceServer.getJwt(), ISSUER_INTERVAL));
      jwts.setJwtAuthenticationConverter(
          new Subjects(properties.auth().namesClaim(), policy.anonymous().permissions()));
      providers.add(jwts);
    }
    ExceptionTranslationFilter denials =
        new ExceptionTranslationFilter(new Challenge(), new NullRequestCache());
    denials.setAccessDeniedHandler(SecurityConfiguration::deny);
    FilterChainProxy proxy =
        new FilterChainProxy(
            new DefaultSecurityFilterChain(
                AnyRequestMatcher.INSTANCE,
                new PrincipalFilter(new ProviderManager(providers), policy, links),
                denials,
                new AuthorizationFilter(new RouteAuthorization()),
                new PrincipalUsages(metrics)));
    proxy.setFirewall(new OpenFirewall());
    FilterRegistrationBean<FilterChainProxy> registration = new FilterRegistrationBean<>(proxy);
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 35);
    return registration;
  }

  private static void deny(
      HttpServletRequest request, HttpServletResponse response, AccessDeniedException denied)
      throws IOException {
    Access.deny(request);
    RouteAuthorization.Decision decision =
        (RouteAuthorization.Decision)
            Objects.requireNonNull(
                ((AuthorizationDeniedException) denied).getAuthorizationResult());
    ProblemWriter.write(request, response, Objects.requireNonNull(decision.denial()));
  }

  /// Lets every request pass, since Tomcat and our own filters have already rejected requests that
  /// are invalid. Spring's would reject names with an encoded character, among others.
  private static final class OpenFirewall implements HttpFirewall {

    @Override
    public FirewalledRequest getFirewalledRequest(HttpServletRequest request) {
      return new FirewalledRequest(request) {
        @Override
        public void reset() {
          // Nothing was changed.
        }
      };
    }

    @Override
    public HttpServletResponse getFirewalledResponse(HttpServletResponse response) {
      return response;
    }
  }
}
