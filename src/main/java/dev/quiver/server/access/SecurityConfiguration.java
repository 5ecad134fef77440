package dev.quiver.server.access;

import dev.quiver.server.config.QuiverProperties;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationProvider;

/// Finds the principals of tokens with the parts of Spring Security that verify them. The filters
/// that ask for principals are our own.
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(OAuth2ResourceServerProperties.class)
class SecurityConfiguration {

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
}
