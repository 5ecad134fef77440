package dev.quiver.server.access;

import dev.quiver.server.config.QuiverProperties;
import dev.quiver.store.Datasets;
import dev.quiver.store.log.AuditLog;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationProvider;

/// Wires the verification of tokens, which is Spring Security's, and the filters of features that
/// most services do not use: without such a feature, requests do not pass its filter.
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(OAuth2ResourceServerProperties.class)
class AccessConfiguration {

  /// The time between two failed attempts to ask the issuer.
  private static final Duration ISSUER_INTERVAL = Duration.ofSeconds(5);

  @Bean
  AuthenticationManager authenticationManager(
      AccessPolicy policy,
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
    return new ProviderManager(providers);
  }

  @Bean
  FilterRegistrationBean<ForwardedFilter> forwardedFilter(
      QuiverProperties properties, ListenAddress address, HostFilter hosts) {
    return registered(
        new ForwardedFilter(properties, address, hosts), 1, !properties.trustedProxies().isEmpty());
  }

  @Bean
  FilterRegistrationBean<PublicPathFilter> publicPathFilter(
      QuiverProperties properties, PublicUrls urls) {
    FilterRegistrationBean<PublicPathFilter> registration =
        registered(
            new PublicPathFilter(urls),
            2,
            !properties.trustedProxies().isEmpty() || !urls.haveNoPath());
    registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
    return registration;
  }

  @Bean
  FilterRegistrationBean<AuditFilter> auditFilter(AuditLog log, Datasets datasets) {
    return registered(
        new AuditFilter(log, datasets.listing().earlierNames().all()), 3, log.isEnabled());
  }

  @Bean
  FilterRegistrationBean<InteropFilter> interopFilter(QuiverProperties properties) {
    return registered(new InteropFilter(properties), 25, !properties.interop().isEmpty());
  }

  @Bean
  FilterRegistrationBean<FrameFilter> frameFilter(QuiverProperties properties, Datasets datasets) {
    return registered(
        new FrameFilter(properties, datasets), 28, !properties.pages().frameAncestors().isEmpty());
  }

  @Bean
  FilterRegistrationBean<PrincipalUsages> principalUsages(
      AccessPolicy policy, PrincipalMetrics metrics) {
    return registered(new PrincipalUsages(metrics), 36, policy.limitsRequests());
  }

  /// @param order as of the other filters, counted from the highest precedence
  private static <F extends Filter> FilterRegistrationBean<F> registered(
      F filter, int order, boolean enabled) {
    FilterRegistrationBean<F> registration = new FilterRegistrationBean<>(filter);
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE + order);
    registration.setEnabled(enabled);
    return registration;
  }
}
