package dev.quiver.server.access;

import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jose.util.ResourceRetriever;
import dev.quiver.server.config.ConfigurationException;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerProperties;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.JwtTypeValidator;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;

/// An OIDC issuer, whose keys verify JWTs. It is asked for them by the first JWT, so the service
/// starts without it.
///
/// Requests cannot make the service ask often: after a failure, and after a key that the issuer
/// lacks, some seconds pass. Until then, JWTs with known keys are verified, and others rejected.
final class Issuer implements JwtDecoder {

  private static final Logger LOG = LoggerFactory.getLogger(Issuer.class);

  private static final String KEYS = "spring.security.oauth2.resourceserver.jwt.";

  /// The length of `sub` that OpenID Connect allows.
  private static final int SUBJECT_LENGTH = 255;

  private static final int CONNECT_MILLISECONDS = 2_000;
  private static final int READ_MILLISECONDS = 5_000;
  private static final int DOCUMENT_BYTE_SIZE = 1 << 20;

  /// The time that keys are used, and the time that a request waits for another to fetch them.
  private static final Duration KEYS_AGE = Duration.ofMinutes(5);

  private static final Duration KEYS_WAIT = Duration.ofSeconds(8);

  private final String issuer;
  private final List<SignatureAlgorithm> algorithms;
  private final OAuth2TokenValidator<Jwt> validator;
  private final Duration interval;
  private final ResourceRetriever retriever =
      new DefaultResourceRetriever(CONNECT_MILLISECONDS, READ_MILLISECONDS, DOCUMENT_BYTE_SIZE);

  /// Null until the issuer has named the place of its keys.
  private volatile @Nullable JwtDecoder decoder;

  /// When the issuer may be asked again, by [System#nanoTime].
  private long retryNanos = System.nanoTime();

  /// @param interval the time between two failed attempts to ask the issuer
  Issuer(OAuth2ResourceServerProperties.Jwt properties, Duration interval) {
    this.issuer = Objects.requireNonNull(properties.getIssuerUri());
    this.interval = interval;
    List<String> audiences = List.copyOf(properties.getAudiences());
    this.algorithms = properties.getJwsAlgorithms().stream().map(SignatureAlgorithm::from).toList();
    JwtTypeValidator type = new JwtTypeValidator("JWT", "at+jwt");
    type.setAllowEmpty(true);
    this.validator =
        new DelegatingOAuth2TokenValidator<>(
            type,
            new JwtTimestampValidator(),
            new JwtIssuerValidator(issuer),
            jwt -> validateClaims(jwt, audiences));
  }

  /// Requires the claims that the other validators let be absent.
  private static OAuth2TokenValidatorResult validateClaims(Jwt jwt, List<String> audiences) {
    List<String> found = jwt.getAudience();
    String subject = jwt.getSubject();
    boolean valid =
        found != null
            && found.stream().anyMatch(audiences::contains)
            && jwt.getExpiresAt() != null
            && subject != null
            && !subject.isEmpty()
            && subject.length() <= SUBJECT_LENGTH;
    return valid
        ? OAuth2TokenValidatorResult.success()
        : OAuth2TokenValidatorResult.failure(
            new OAuth2Error(
                OAuth2ErrorCodes.INVALID_TOKEN,
                "Expected aud, exp and sub of a token for this service but found others",
                /* uri= */ null));
  }

  /// Returns whether an issuer is configured.
  ///
  /// @throws ConfigurationException if a key of it is missing or invalid
  static boolean isConfigured(OAuth2ResourceServerProperties properties) {
    OAuth2ResourceServerProperties.Jwt jwt = properties.getJwt();
    String issuer = jwt.getIssuerUri();
    boolean hasIssuer = issuer != null;
    boolean hasAudiences = !jwt.getAudiences().isEmpty();
    boolean hasOthers = jwt.getJwkSetUri() != null || jwt.getPublicKeyLocation() != null;
    if (!hasIssuer && (hasAudiences || hasOthers)) {
      throw ConfigurationException.of("the URL of an issuer", "none", KEYS + "issuer-uri");
    }
    if (hasIssuer && !hasAudiences) {
      throw ConfigurationException.of("the audience of this service", "none", KEYS + "audiences");
    }
    if (issuer != null) {
      url(issuer);
      for (String name : jwt.getJwsAlgorithms()) {
        if (SignatureAlgorithm.from(name) == null) {
          throw ConfigurationException.of(
              "the name of an algorithm such as RS256", name, KEYS + "jws-algorithms");
        }
      }
    }
    return hasIssuer;
  }

  private static URL url(String text) {
    try {
      URL url = URI.create(text).toURL();
      if (url.getProtocol().startsWith("http")) {
        return url;
      }
    } catch (IllegalArgumentException | MalformedURLException e) {
      // Reported below.
    }
    throw ConfigurationException.of(
        "a URL such as https://issuer.example.org", text, KEYS + "issuer-uri");
  }

  @Override
  public Jwt decode(String token) {
    JwtDecoder ready = decoder;
    return (ready == null ? discovered() : ready).decode(token);
  }

  /// Asks the issuer where its keys are, unless another request has done so.
  private synchronized JwtDecoder discovered() {
    JwtDecoder ready = decoder;
    if (ready != null) {
      return ready;
    }
    if (System.nanoTime() - retryNanos < 0) {
      throw new JwtException("Expected a response from the issuer but found none");
    }
    try {
      NimbusJwtDecoder discovered =
          NimbusJwtDecoder.withJwkSource(keys())
              .jwsAlgorithms(accepted -> accepted.addAll(algorithms))
              // The type is validated with the claims.
              .jwtProcessorCustomizer(
                  processor -> processor.setJWSTypeVerifier((type, context) -> {}))
              .build();
      discovered.setJwtValidator(validator);
      decoder = discovered;
      return discovered;
    } catch (IOException | ParseException | RuntimeException e) {
      retryNanos = System.nanoTime() + interval.toNanos();
      LOG.warn("The issuer {} did not tell where its keys are: {}", issuer, e.toString());
      throw new JwtException("Expected a response from the issuer but found none", e);
    }
  }

  private JWKSource<SecurityContext> keys() throws IOException, ParseException {
    String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
    String document =
        retriever.retrieveResource(url(base + "/.well-known/openid-configuration")).getContent();
    Map<String, Object> members = JSONObjectUtils.parse(document);
    String found = JSONObjectUtils.getString(members, "issuer");
    if (!issuer.equals(found)) {
      throw new ParseException("Expected this issuer but found " + found, 0);
    }
    URL keys = JSONObjectUtils.getURI(members, "jwks_uri").toURL();
    return JWKSourceBuilder.<SecurityContext>create(keys, retriever)
        .cache(KEYS_AGE.toMillis(), KEYS_WAIT.toMillis())
        .refreshAheadCache(false)
        .rateLimited(interval.toMillis())
        .build();
  }
}
