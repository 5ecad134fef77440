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
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Holds the code to the tables of packages and of types in `src/docs/architecture.md`.
class ArchitectureTest {

  private static final String ROOT = "dev.quiver";
  private static final Path DOCUMENT = Path.of("src/docs/architecture.md");
  private static final String TABLE_HEAD = "| package | what it is | may use | visible to |";
  private static final Pattern TABLE_ROW =
      Pattern.compile("\\| `([\\w.]+)` \\|[^|]*\\|([^|]*)\\| (?:all|`([\\w.]+)`) \\|");
  private static final String QUESTIONS_HEAD = "| where is … | type |";
  private static final Pattern QUESTION = Pattern.compile("\\| ([^|]+\\?) \\| `([\\w.]+)` \\|");
  private static final Pattern CODE_SPAN = Pattern.compile("`([\\w.]+)`");

  /// The packages that are divided when they grow.
  private static final Pattern DIVIDED = Pattern.compile("(?:web|dataset)(?:\\..+)?");

  private static final int MAXIMUM_CLASSES = 25;

  private static final JavaClasses CLASSES =
      new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages(ROOT);

  /// A row of the table.
  ///
  /// @param visibleTo the only package that may use this one, with its nested packages; empty for
  ///   all
  private record Row(Set<String> mayUse, String visibleTo) {

    boolean isVisibleTo(String name) {
      return visibleTo.isEmpty() || name.equals(visibleTo) || name.startsWith(visibleTo + ".");
    }
  }

  @Test
  void dependenciesFollowTheTable() throws IOException {
    assertThat(violations(CLASSES, ROOT, table())).isEmpty();
  }

  @Test
  void tableListsExactlyTheExistingPackages() throws IOException {
    Set<String> packages =
        CLASSES.stream()
            .map(type -> relativeName(type, ROOT))
            .filter(name -> !name.isEmpty())
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(table().keySet()).isEqualTo(packages);
  }

  /// Every row uses only rows above it, so the packages have no cycles and the table reads from top
  /// to bottom.
  @Test
  void everyTableRowUsesOnlyRowsAbove() throws IOException {
    Set<String> above = new TreeSet<>();
    table()
        .forEach((name, row) -> {
          assertThat(above).as("rows above `%s`", name).containsAll(row.mayUse);
          above.add(name);
        });
  }

  /// A row that grants more than the code needs lets a dependency come back unseen.
  @Test
  void tableGrantsOnlyUsedDependencies() throws IOException {
    Map<String, Set<String>> used = new TreeMap<>();
    for (JavaClass origin : CLASSES) {
      for (Dependency dependency : origin.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        used.computeIfAbsent(relativeName(origin, ROOT), _ -> new TreeSet<>())
            .add(relativeName(target, ROOT));
      }
    }
    table()
        .forEach((name, row) ->
            assertThat(used.getOrDefault(name, Set.of())).as(name).containsAll(row.mayUse));
  }

  @Test
  void packagesOfDatasetAndWebStaySmall() {
    Map<String, Long> sizes =
        CLASSES.stream()
            .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
            .collect(
                Collectors.groupingBy(type -> relativeName(type, ROOT), Collectors.counting()));
    assertThat(sizes)
        .hasSizeGreaterThan(20)
        .allSatisfy((name, size) -> {
          if (DIVIDED.matcher(name).matches()) {
            assertThat(size).as(name).isLessThanOrEqualTo(MAXIMUM_CLASSES);
          }
        });
  }

  @Test
  void everyQuestionNamesATypeInItsPackage() throws IOException {
    Map<String, String> questions = new LinkedHashMap<>();
    for (String line : rows(QUESTIONS_HEAD)) {
      Matcher question = QUESTION.matcher(line);
      assertThat(question.matches()).as(line).isTrue();
      assertThat(questions.put(question.group(1), question.group(2))).as(line).isNull();
    }
    assertThat(questions)
        .hasSizeGreaterThanOrEqualTo(20)
        .allSatisfy((question, type) ->
            assertThat(CLASSES.contain(ROOT + "." + type)).as("%s %s", question, type).isTrue());
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
  void onlyTheUpperPackagesUseTheFramework() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            ROOT, ROOT + ".config", ROOT + ".background", ROOT + ".sample", ROOT + ".web..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.springframework..", "jakarta..", "org.apache..")
        .check(CLASSES);
  }

  /// A service that stores its data in a folder must not load the classes of the client.
  @Test
  void onlyTheS3StoreUsesTheS3Client() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".storage.s3")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("software.amazon..")
        .check(CLASSES);
  }

  /// A native function can end the process. Files call one of the system's, the engine all others.
  @Test
  void onlyTheEngineAndFilesCallNativeFunctions() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT + ".engine..", ROOT + ".storage.filesystem")
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.lang.foreign.Linker")
        .check(CLASSES);
  }

  /// Proves that the rule can fail. The packages below `offender` violate each part of it.
  @Test
  void detectsUsesThatTheTableDoesNotGrant() {
    JavaClasses offender = new ClassFileImporter().importPackages("offender");
    Map<String, Row> table =
        Map.of(
            "a", new Row(Set.of("b", "b.hidden"), ""),
            "b", new Row(Set.of(), ""),
            "b.hidden", new Row(Set.of(), "b"),
            "c.lower", new Row(Set.of(), "c"),
            "c.upper", new Row(Set.of("c.lower"), "c"));
    assertThat(violations(offender, "offender", table))
        .as("a use from below")
        .anySatisfy(use -> assertThat(use).contains("offender.b.B.upwards"))
        .as("a package that only its parent sees")
        .anySatisfy(use -> assertThat(use).contains("offender.a.A.nested"))
        .as("the root package")
        .anySatisfy(use -> assertThat(use).contains("offender.a.A.root"))
        .as("a cycle of nested packages")
        .anySatisfy(use -> assertThat(use).contains("offender.c.lower.Lower.cycle"))
        .noneSatisfy(use -> assertThat(use).contains("offender.c.upper.Upper.downwards"))
        .noneSatisfy(use -> assertThat(use).contains("offender.a.A.allowed"));
  }

  private static Set<String> violations(JavaClasses classes, String root, Map<String, Row> table) {
    Set<String> found = new TreeSet<>();
    for (JavaClass origin : classes) {
      String from = relativeName(origin, root);
      for (Dependency dependency : origin.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        String to = relativeName(target, root);
        boolean foreign = !(target.getPackageName() + ".").startsWith(root + ".");
        if (!from.isEmpty() && !from.equals(to) && !foreign && !isGranted(from, to, table)) {
          found.add(dependency.getDescription());
        }
      }
    }
    return found;
  }

  private static boolean isGranted(String from, String to, Map<String, Row> table) {
    Row origin = table.get(from);
    Row target = table.get(to);
    return origin != null
        && target != null
        && origin.mayUse.contains(to)
        && target.isVisibleTo(from);
  }

  /// Returns the name of the package below the root. It is empty for foreign classes and for the
  /// root package, which may use all packages and which none may use.
  private static String relativeName(JavaClass type, String root) {
    String name = type.getPackageName();
    return name.startsWith(root + ".") ? name.substring(root.length() + 1) : "";
  }

  private static Map<String, Row> table() throws IOException {
    Map<String, Row> table = new LinkedHashMap<>();
    for (String line : rows(TABLE_HEAD)) {
      Matcher row = TABLE_ROW.matcher(line);
      assertThat(row.matches()).as(line).isTrue();
      String visibleTo = row.group(3) == null ? "" : row.group(3);
      table.put(row.group(1), new Row(codeSpans(row.group(2)), visibleTo));
    }
    return table;
  }

  /// Returns the lines of the table with this head, without the head.
  private static List<String> rows(String head) throws IOException {
    List<String> lines = Files.readAllLines(DOCUMENT);
    assertThat(lines).contains(head);
    return lines.stream()
        .skip(lines.indexOf(head) + 2)
        .takeWhile(line -> line.startsWith("|"))
        .toList();
  }

  private static Set<String> codeSpans(String cell) {
    return CODE_SPAN
        .matcher(cell)
        .results()
        .map((MatchResult result) -> result.group(1))
        .collect(Collectors.toSet());
  }
}
