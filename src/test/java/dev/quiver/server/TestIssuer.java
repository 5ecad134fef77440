package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import dev.quiver.server.IssuerTest.Client;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.settings.AuthorizationServerSettings;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenCustomizer;
import org.springframework.security.web.SecurityFilterChain;
import tools.jackson.databind.json.JsonMapper;

/// Spring Authorization Server on a random port, whose clients get the tokens that a test needs.
final class TestIssuer implements AutoCloseable {

  private final ServletWebServerApplicationContext context;

  TestIssuer(List<Client> clients) {
    Server.clients = clients;
    Server.keys = List.of(newKey());
    Server.keyRequests.set(0);
    context =
        (ServletWebServerApplicationContext)
            new SpringApplicationBuilder(Server.class)
                .properties("server.port=0", "server.address=127.0.0.1", "spring.config.name=none")
                .run();
  }

  String url() {
    return "http://localhost:" + Objects.requireNonNull(context.getWebServer()).getPort();
  }

  static RSAKey newKey() {
    try {
      return new RSAKeyGenerator(2048)
          .keyID(UUID.randomUUID().toString())
          .keyUse(com.nimbusds.jose.jwk.KeyUse.SIGNATURE)
          .generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Returns the key with which tokens are signed.
  RSAKey key() {
    return Server.keys.getFirst();
  }

  /// Replaces all keys.
  void rotate() {
    Server.keys = List.of(newKey());
  }

  /// Returns how often the keys were asked for.
  int keyRequestCount() {
    return Server.keyRequests.get();
  }

  /// Returns a token of a client, as the endpoint for tokens makes it.
  String token(Client client) throws Exception {
    String credentials =
        Base64.getEncoder()
            .encodeToString((client.id() + ":" + client.id()).getBytes(StandardCharsets.UTF_8));
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url() + "/oauth2/token"))
            .header("Authorization", "Basic " + credentials)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "grant_type=client_credentials&scope="
                        + String.join("+", client.scopes()).replace(":", "%3A")))
            .build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
      return JsonMapper.shared().readTree(response.body()).get("access_token").asString();
    }
  }

  @Override
  public void close() {
    context.close();
  }

  /// Not annotated as a configuration, which the scan of the service would find.
  @ImportAutoConfiguration({
    TomcatServletWebServerAutoConfiguration.class,
    DispatcherServletAutoConfiguration.class,
    WebMvcAutoConfiguration.class,
    SecurityAutoConfiguration.class,
    ServletWebSecurityAutoConfiguration.class,
    SecurityFilterAutoConfiguration.class
  })
  static class Server {

    static volatile List<Client> clients = List.of();
    static volatile List<RSAKey> keys = List.of();
    static final AtomicInteger keyRequests = new AtomicInteger();

    @Bean
    SecurityFilterChain chain(HttpSecurity http) throws Exception {
      return http.oauth2AuthorizationServer(server -> server.oidc(_ -> {}))
          .addFilterBefore(
              (request, response, rest) -> {
                if (((jakarta.servlet.http.HttpServletRequest) request)
                    .getRequestURI()
                    .equals("/oauth2/jwks")) {
                  keyRequests.incrementAndGet();
                }
                rest.doFilter(request, response);
              },
              org.springframework.security.web.context.SecurityContextHolderFilter.class)
          .build();
    }

    @Bean
    AuthorizationServerSettings settings() {
      return AuthorizationServerSettings.builder().build();
    }

    @Bean
    RegisteredClientRepository clients() {
      return new InMemoryRegisteredClientRepository(
          clients.stream()
              .map(client ->
                  RegisteredClient.withId(client.id())
                      .clientId(client.id())
                      .clientSecret("{noop}" + client.id())
                      .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                      .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
                      .scopes(scopes -> scopes.addAll(client.scopes()))
                      .build())
              .toList());
    }

    @Bean
    JWKSource<SecurityContext> keySource() {
      return (selector, _) -> selector.select(new JWKSet(List.copyOf(keys)));
    }

    @Bean
    JwtDecoder decoder(JWKSource<SecurityContext> keySource) {
      return NimbusJwtDecoder.withJwkSource(keySource).build();
    }

    @Bean
    OAuth2TokenCustomizer<JwtEncodingContext> customizer() {
      return token -> {
        Client client =
            clients.stream()
                .filter(one -> one.id().equals(token.getRegisteredClient().getId()))
                .findFirst()
                .orElseThrow();
        token
            .getClaims()
            .audience(client.audiences())
            .issuedAt(Instant.now().plusSeconds(client.expiresIn() - 300))
            .notBefore(Instant.now().plusSeconds(client.notBeforeIn()))
            .expiresAt(Instant.now().plusSeconds(client.expiresIn()));
        if (client.names() != null) {
          token.getClaims().claim("quiver_names", client.names());
        }
      };
    }
  }
}
