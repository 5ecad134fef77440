package dev.quiver.store.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.Lineage;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Patterns of names, and the permissions of which they are part.
class PermissionsTest {

  private static Permissions of(String... texts) {
    return Permissions.of(Stream.of(texts).map(Permission::parse).toList());
  }

  private static DatasetName name(String text) {
    return new DatasetName(text);
  }

  @ParameterizedTest
  @CsvSource({
    "*, a, true",
    "a, a, true",
    "a, A, false",
    "a, ab, false",
    "a*, a, true",
    "*a, ba, true",
    "*a, ab, false",
    "a*c, abc, true",
    "a*c, abcb, false",
    "a*b*c, axbxbxc, true",
    "team.*, team.x, true",
    "team.*, teamsx, false",
    "team.*, team, false",
    "**, x, true",
  })
  void patternMatchesWholeNames(String pattern, String name, boolean matches) {
    assertThat(new NamePattern(pattern).matches(name)).isEqualTo(matches);
  }

  /// Compares with regular expressions, which match in another way.
  @Test
  void patternMatchesAsItsRegularExpression() {
    Random random = new Random(19);
    int matching = 0;
    for (int i = 0; i < 20_000; i++) {
      String pattern = text(random, "ab*.");
      String name = text(random, "ab.");
      String expression = pattern.replace(".", "\\.").replace("*", ".*");
      boolean expected = Pattern.matches(expression, name);
      assertThat(new NamePattern(pattern).matches(name))
          .as(pattern + " " + name)
          .isEqualTo(expected);
      matching += expected ? 1 : 0;
    }
    assertThat(matching).isBetween(1_000, 19_000);
  }

  private static String text(Random random, String characters) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(6) + 1; i > 0; i--) {
      text.append(characters.charAt(random.nextInt(characters.length())));
    }
    return text.toString();
  }

  /// A pattern that backtracks at each character takes no more than a name's length for each star.
  @Test
  void matchesLongPatternsQuickly() {
    NamePattern pattern = new NamePattern("a*".repeat(49) + "b");
    assertThat(pattern.matches("a".repeat(100))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a/b", "a?", "é", "a\n"})
  void rejectsOtherPatterns(String text) {
    assertThatThrownBy(() -> new NamePattern(text))
        .hasMessageContaining("pattern of dataset names");
    assertThatThrownBy(() -> Permission.parse("read:" + text))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "read", "Read:*", "admin:*", "delete:*", ":*", "admin "})
  void rejectsOtherPermissions(String text) {
    assertThatThrownBy(() -> Permission.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void writingIncludesReadingOfTheSameNames() {
    Permissions permissions = of("read:public*", "write:team.*");
    assertThat(permissions.mayRead(name("public1"))).isTrue();
    assertThat(permissions.mayWrite(name("public1"))).isFalse();
    assertThat(permissions.mayRead(name("team.a"))).isTrue();
    assertThat(permissions.mayWrite(name("team.a"))).isTrue();
    assertThat(permissions.mayRead(name("other"))).isFalse();
    assertThat(permissions.readsAll()).isFalse();
    assertThat(permissions.writesSome()).isTrue();
    assertThat(permissions.writesAll()).isFalse();
    assertThat(permissions.isAdmin()).isFalse();
    assertThat(of("read:*").readsAll()).isTrue();
    assertThat(of("read:*").writesSome()).isFalse();
    assertThat(of("read:a", "write:*").writesAll()).isTrue();
  }

  @Test
  void adminMayDoEverything() {
    Permissions admin = of("admin");
    assertThat(admin).isEqualTo(Permissions.ADMIN);
    assertThat(admin.mayWrite(name("x"))).isTrue();
    assertThat(admin.readsAll()).isTrue();
    assertThat(admin.writesAll()).isTrue();
    assertThat(admin.readsJobs()).isTrue();
    assertThat(Permissions.NONE.readsSome()).isFalse();
    assertThat(Permissions.NONE.and(admin)).isEqualTo(admin);
  }

  @Test
  void statementIsVisibleOnlyWithAllOfItsSources() {
    Lineage lineage =
        new Lineage(
            "SELECT",
            Map.of(),
            List.of(DatasetReference.parse("a@1"), DatasetReference.parse("b@2")));
    assertThat(of("read:a").visible(lineage)).isNull();
    assertThat(of("read:a", "write:b").visible(lineage)).isEqualTo(lineage);
    assertThat(Permissions.ADMIN.visible(null)).isNull();
  }

  @Test
  void jobsAreOfTheirPrincipal() {
    Principal writer = Principal.ofToken("etl", of("write:*"));
    assertThat(writer.mayReadJobOf("token:etl")).isTrue();
    assertThat(writer.mayCancelJobOf("token:etl")).isTrue();
    assertThat(writer.mayReadJobOf("subject:etl")).isFalse();
    assertThat(writer.mayReadJobOf(null)).isFalse();
    Principal everybody = Principal.anonymous(Permissions.READ_EVERYTHING);
    assertThat(everybody.mayReadJobOf("token:etl")).isTrue();
    assertThat(everybody.mayCancelJobOf("token:etl")).isFalse();
    assertThat(Principal.ofToken("root", Permissions.ADMIN).mayCancelJobOf(null)).isTrue();
  }
}
