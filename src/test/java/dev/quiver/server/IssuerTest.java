package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;

/// JWTs of a real issuer, and others that look like them.
@TestPropertySource(
    properties = {
      "quiver.storage.path=${test.folder}/issuer",
      "spring.security.oauth2.resourceserver.jwt.audiences=quiver,arrows"
    })
class IssuerTest extends RunningService {

  /// A client of the issuer, whose tokens have these claims.
  ///
  /// @param names the claim with patterns of names, or null if absent
  /// @param notBeforeIn in seconds from now
  /// @param expiresIn in seconds from now
  record Client(
      String id,
      List<String> scopes,
      List<String> audiences,
      @Nullable Object names,
      long notBeforeIn,
      long expiresIn) {

    static Client of(String id, @Nullable Object names, String... scopes) {
      return new Client(id, List.of(scopes), List.of("other", "quiver"), names, 0, 300);
    }
  }

  private static final Client READER = Client.of("reader", List.of("sample"), "quiver:read");
  private static final Client WRITER =
      Client.of("writer", "team.* sample", "quiver:write", "quiver:read");
  private static final Client ADMIN = Client.of("admin", null, "quiver:admin");
  private static final Client NAMELESS = Client.of("nameless", null, "quiver:read");
  private static final Client SCOPELESS = Client.of("scopeless", List.of("*"), "profile:x");
  private static final Client MALFORMED = Client.of("malformed", List.of("a b"), "quiver:read");
  private static final Client EXPIRED =
      new Client("expired", List.of("quiver:admin"), List.of("quiver"), null, -300, -90);
  private static final Client JUST_EXPIRED =
      new Client("just-expired", List.of("quiver:admin"), List.of("quiver"), null, -300, -20);
  private static final Client EARLY =
      new Client("early", List.of("quiver:admin"), List.of("quiver"), null, 120, 300);
  private static final Client FOREIGN =
      new Client("foreign", List.of("quiver:admin"), List.of("other"), null, 0, 300);

  private static final TestIssuer ISSUER =
      new TestIssuer(
          List.of(
              READER,
              WRITER,
              ADMIN,
              NAMELESS,
              SCOPELESS,
              MALFORMED,
              EXPIRED,
              JUST_EXPIRED,
              EARLY,
              FOREIGN));

  @DynamicPropertySource
  static void useIssuer(DynamicPropertyRegistry registry) {
    registry.add("spring.security.oauth2.resourceserver.jwt.issuer-uri", ISSUER::url);
  }

  @AfterAll
  static void stopIssuer() {
    ISSUER.close();
  }

  private HttpResponse<byte[]> read(String token) throws Exception {
    return get("/datasets/sample", "Authorization", "Bearer " + token);
  }

  private int status(String token) throws Exception {
    return read(token).statusCode();
  }

  /// Returns the status of a read with a token whose key the service may not know yet. It asks for
  /// keys only so often.
  private void assertAccepted(String token) {
    eventually(() -> assertThat(status(token)).isEqualTo(200));
  }

  @Test
  void scopesAndNamesGivePermissions() throws Exception {
    byte[] data = Streams.numbers(0, 3);
    String reader = ISSUER.token(READER);
    assertAccepted(reader);
    assertThat(put("/datasets/sample", data, "Authorization", "Bearer " + reader).statusCode())
        .isEqualTo(403);
    assertThat(get("/datasets/team.x", "Authorization", "Bearer " + reader).statusCode())
        .isEqualTo(404);
    String writer = "Bearer " + ISSUER.token(WRITER);
    assertThat(put("/datasets/team.x", data, "Authorization", writer).statusCode()).isEqualTo(201);
    assertThat(put("/datasets/other", data, "Authorization", writer).statusCode()).isEqualTo(404);
    String admin = ISSUER.token(ADMIN);
    assertThat(status(admin)).isEqualTo(200);
    assertThat(delete("/datasets/team.x", "Authorization", "Bearer " + admin).statusCode())
        .isEqualTo(204);
    assertThat(status(ISSUER.token(NAMELESS))).isEqualTo(404);
    assertThat(status(ISSUER.token(SCOPELESS))).isEqualTo(404);
    assertThat(get("/datasets", "Authorization", "Bearer " + ISSUER.token(SCOPELESS)).statusCode())
        .isEqualTo(403);
  }

  @Test
  void tokenMayBeAPassword() throws Exception {
    byte[] credentials = ("any:" + ISSUER.token(READER)).getBytes(StandardCharsets.UTF_8);
    String basic = Base64.getEncoder().encodeToString(credentials);
    eventually(() ->
        assertThat(get("/datasets/sample", "Authorization", "Basic " + basic).statusCode())
            .isEqualTo(200));
  }

  /// A job is of the subject of a JWT, not of one JWT.
  @Test
  void jobsAreOfTheSubject() throws Exception {
    assertAccepted(ISSUER.token(WRITER));
    HttpResponse<byte[]> accepted =
        put(
            "/datasets/team.job",
            Streams.numbers(0, 3),
            "Prefer",
            "respond-async",
            "Authorization",
            "Bearer " + ISSUER.token(WRITER));
    assertThat(accepted.statusCode()).isEqualTo(202);
    String job = header(accepted, "Location");
    assertThat(get(job, "Authorization", "Bearer " + ISSUER.token(WRITER)).statusCode())
        .isIn(200, 303);
    assertThat(get(job, "Authorization", "Bearer " + ISSUER.token(READER)).statusCode())
        .isEqualTo(404);
  }

  @Test
  void clocksMayDifferByAMinute() throws Exception {
    assertAccepted(ISSUER.token(JUST_EXPIRED));
    for (Client client : List.of(EXPIRED, EARLY)) {
      assertUnauthorized(ISSUER.token(client));
    }
  }

  @Test
  void rejectsOtherAudiencesAndMalformedClaims() throws Exception {
    assertAccepted(ISSUER.token(READER));
    assertUnauthorized(ISSUER.token(FOREIGN));
    assertUnauthorized(ISSUER.token(MALFORMED));
  }

  private void assertUnauthorized(String token) throws Exception {
    HttpResponse<byte[]> response = read(token);
    assertThat(response.statusCode()).isEqualTo(401);
    assertThat(header(response, "WWW-Authenticate")).contains("error=\"invalid_token\"");
    assertThat(text(response))
        .contains("Expected the token of this service but found another at header Authorization")
        .doesNotContain(token.substring(0, 20));
  }

  /// A forged token.
  private enum Forgery {
    UNSIGNED,
    SYMMETRIC_WITH_THE_PUBLIC_KEY,
    OTHER_ALGORITHM,
    OTHER_KEY_WITH_THE_SAME_ID,
    OTHER_ISSUER,
    OTHER_TYPE,
    NO_SUBJECT,
    NO_EXPIRATION,
    NO_AUDIENCE,
    CHANGED_CLAIMS,
    NO_SIGNATURE;

    String token() throws Exception {
      RSAKey key = ISSUER.key();
      JWTClaimsSet claims = claims().build();
      return switch (this) {
        case UNSIGNED -> new PlainJWT(claims).serialize();
        case SYMMETRIC_WITH_THE_PUBLIC_KEY -> {
          SignedJWT jwt =
              new SignedJWT(
                  new JWSHeader.Builder(JWSAlgorithm.HS256).keyID(key.getKeyID()).build(), claims);
          jwt.sign(new MACSigner(key.toRSAPublicKey().getEncoded()));
          yield jwt.serialize();
        }
        case OTHER_ALGORITHM -> signed(key, key.getKeyID(), JWSAlgorithm.RS512, null, claims);
        case OTHER_KEY_WITH_THE_SAME_ID ->
            signed(TestIssuer.newKey(), key.getKeyID(), JWSAlgorithm.RS256, null, claims);
        case OTHER_ISSUER -> signed(key, claims().issuer("http://other.test").build());
        case OTHER_TYPE ->
            signed(
                key, key.getKeyID(), JWSAlgorithm.RS256, new JOSEObjectType("logout+jwt"), claims);
        case NO_SUBJECT -> signed(key, claims().subject(null).build());
        case NO_EXPIRATION -> signed(key, claims().expirationTime(null).build());
        case NO_AUDIENCE -> signed(key, claims().audience((String) null).build());
        case CHANGED_CLAIMS -> {
          String[] parts = signed(key, claims().subject("a").build()).split("\\.");
          String[] others = signed(key, claims().subject("b").build()).split("\\.");
          yield parts[0] + "." + others[1] + "." + parts[2];
        }
        case NO_SIGNATURE -> signed(key, claims).replaceFirst("\\.[^.]*$", ".");
      };
    }
  }

  private static JWTClaimsSet.Builder claims() {
    return new JWTClaimsSet.Builder()
        .issuer(ISSUER.url())
        .subject("forger")
        .audience("quiver")
        .claim("scope", "quiver:admin")
        .expirationTime(Date.from(Instant.now().plusSeconds(300)));
  }

  private static String signed(RSAKey key, JWTClaimsSet claims) throws Exception {
    return signed(key, key.getKeyID(), JWSAlgorithm.RS256, null, claims);
  }

  private static String signed(
      RSAKey key,
      String id,
      JWSAlgorithm algorithm,
      @Nullable JOSEObjectType type,
      JWTClaimsSet claims)
      throws Exception {
    SignedJWT jwt =
        new SignedJWT(new JWSHeader.Builder(algorithm).keyID(id).type(type).build(), claims);
    jwt.sign(new RSASSASigner(key));
    return jwt.serialize();
  }

  @ParameterizedTest
  @EnumSource
  void rejectsForgedTokens(Forgery forgery) throws Exception {
    // Each forgery has no fault but its own.
    assertAccepted(signed(ISSUER.key(), claims().build()));
    assertUnauthorized(forgery.token());
  }

  /// Tokens with the former keys are rejected once the issuer's new ones were asked for.
  @Tag("long")
  @Test
  void followsRotatedKeys() throws Exception {
    String former = ISSUER.token(ADMIN);
    assertAccepted(former);
    ISSUER.rotate();
    assertAccepted(ISSUER.token(ADMIN));
    eventually(() -> assertThat(status(former)).isEqualTo(401));
  }

  /// No client can make the service ask the issuer for each request.
  @Test
  void unknownKeysAskRarely() throws Exception {
    String known = ISSUER.token(ADMIN);
    assertAccepted(known);
    int before = ISSUER.keyRequestCount();
    long start = System.nanoTime();
    RSAKey key = TestIssuer.newKey();
    for (int i = 0; i < 40; i++) {
      String id = UUID.randomUUID().toString();
      assertThat(status(signed(key, id, JWSAlgorithm.RS256, null, claims().build())))
          .isIn(401, 503);
      assertThat(status(known)).isEqualTo(200);
    }
    long seconds = (System.nanoTime() - start) / 1_000_000_000;
    assertThat(ISSUER.keyRequestCount() - before).isLessThanOrEqualTo((int) (seconds / 5 + 2) * 2);
  }
}
