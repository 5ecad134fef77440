package dev.quiver;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The package table in README.md is the architecture; this test holds the code to it. The other
/// tables of the README are in ReadmeTest.
class ArchitectureTest {

  private static final String ROOT = "dev.quiver";
  private static final String TABLE_HEAD = "| package | what it is | may use |";
  private static final Pattern TABLE_ROW = Pattern.compile("\\| `(\\w+)` \\|[^|]*\\|([^|]*)\\|");
  private static final Pattern CODE_SPAN = Pattern.compile("`(\\w+)`");

  private static final JavaClasses CLASSES =
      new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages(ROOT);

  @Test
  void dependenciesFollowTheReadmeTable() throws IOException {
    assertThat(violations(CLASSES, ROOT, readmeTable())).isEmpty();
  }

  @Test
  void readmeTableHasEveryPackageAndNoOther() throws IOException {
    Set<String> packages =
        CLASSES.stream()
            .map(type -> module(type, ROOT))
            .filter(module -> !module.isEmpty())
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(readmeTable().keySet()).isEqualTo(packages);
  }

  /// Every row uses only rows above it, so the packages have no cycles and the table reads from top
  /// to bottom.
  @Test
  void readmeTableIsOrdered() throws IOException {
    Set<String> above = new TreeSet<>();
    readmeTable()
        .forEach((name, uses) -> {
          assertThat(above).as("rows above `%s`", name).containsAll(uses);
          above.add(name);
        });
  }

  @Test
  void everyPackageIsNullMarked() {
    assertThat(
            CLASSES.stream()
                .filter(type ->
                    !type.getPackage().isAnnotatedWith("org.jspecify.annotations.NullMarked"))
                .map(JavaClass::getPackageName)
                .distinct())
        .isEmpty();
  }

  @Test
  void onlyTheRootAndWebKnowTheFramework() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT, ROOT + ".web..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.springframework..", "jakarta..", "org.apache..")
        .check(CLASSES);
  }

  /// A service that keeps its data in a folder loads nothing of it.
  @Test
  void onlyTheStoreOnS3KnowsItsClient() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".storage.s3")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("software.amazon..")
        .check(CLASSES);
  }

  /// A rule that cannot fail guards nothing: the packages below `offender` break each part of it,
  /// by a use from below, a use of another package's nested package, and a use of the root.
  @Test
  void anOffenderIsCaught() {
    JavaClasses offender = new ClassFileImporter().importPackages("offender");
    assertThat(violations(offender, "offender", Map.of("a", Set.of("b"), "b", Set.of())))
        .anySatisfy(use -> assertThat(use).contains("offender.b.B.upwards"))
        .anySatisfy(use -> assertThat(use).contains("offender.a.A.nested"))
        .anySatisfy(use -> assertThat(use).contains("offender.a.A.root"))
        .noneSatisfy(use -> assertThat(use).contains("offender.a.A.allowed"));
  }

  private static Set<String> violations(
      JavaClasses classes, String root, Map<String, Set<String>> mayUse) {
    Set<String> found = new TreeSet<>();
    for (JavaClass origin : classes) {
      String from = module(origin, root);
      for (Dependency dependency : origin.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        String to = module(target, root);
        if (from.isEmpty() || from.equals(to) || !target.getPackageName().startsWith(root)) {
          continue;
        }
        boolean nested = !to.isEmpty() && !target.getPackageName().equals(root + "." + to);
        if (nested || !mayUse.getOrDefault(from, Set.of()).contains(to)) {
          found.add(dependency.getDescription());
        }
      }
    }
    return found;
  }

  /// The first segment of the package below the root; empty for the root package, which may use all
  /// and which none may use, and for foreign classes.
  private static String module(JavaClass type, String root) {
    String name = type.getPackageName();
    return name.startsWith(root + ".") ? name.substring(root.length() + 1).split("\\.")[0] : "";
  }

  private static Map<String, Set<String>> readmeTable() throws IOException {
    List<String> lines = Files.readAllLines(Path.of("README.md"));
    assertThat(lines).contains(TABLE_HEAD);
    Map<String, Set<String>> table = new LinkedHashMap<>();
    lines.stream()
        .skip(lines.indexOf(TABLE_HEAD) + 2)
        .takeWhile(line -> line.startsWith("|"))
        .forEach(line -> {
          Matcher row = TABLE_ROW.matcher(line);
          assertThat(row.matches()).as(line).isTrue();
          table.put(row.group(1), codeSpans(row.group(2)));
        });
    return table;
  }

  private static Set<String> codeSpans(String cell) {
    return CODE_SPAN
        .matcher(cell)
        .results()
        .map((MatchResult result) -> result.group(1))
        .collect(Collectors.toSet());
  }
}
