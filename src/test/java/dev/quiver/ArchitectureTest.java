package dev.quiver;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import jakarta.servlet.ServletRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Holds the code to its tiers, to the packages of `src/docs/architecture.md`, and to the uses that
/// `src/test/resources/packages.txt` grants within a tier.
class ArchitectureTest {

  private static final String ROOT = "dev.quiver";

  /// The tiers from bottom to top. Each uses only those before it.
  private static final List<String> TIERS = List.of("arrow", "formats", "store", "sql", "server");

  private static final Path DOCUMENT = Path.of("src/docs/architecture.md");
  private static final Path GRANTS = Path.of("src/test/resources/packages.txt");
  private static final Pattern GRANT =
      Pattern.compile("^\\(?([\\w.]+)\\)?:((?: [\\w.]+)*)$", Pattern.MULTILINE);
  private static final String PACKAGES_HEAD = "| package | what it is |";
  private static final Pattern PACKAGE = Pattern.compile("\\| `([\\w.]+)` \\| (.+) \\|");
  private static final String QUESTIONS_HEAD = "| where is … | type |";
  private static final Pattern QUESTION = Pattern.compile("\\| ([^|]+\\?) \\| `([\\w.]+)` \\|");

  /// The packages that call native functions.
  private static final Set<String> NATIVE =
      Set.of(ROOT + ".sql.engine", ROOT + ".sql.library", ROOT + ".store.blob.folder");

  private static final int CLASSES_MAXIMUM = 45;
  private static final int PACKAGES_MAXIMUM = 57;

  private static final JavaClasses CLASSES =
      new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages(ROOT);

  /// Classes that break each kind of rule.
  private static final JavaClasses OFFENDER = new ClassFileImporter().importPackages("offender");

  @Test
  void packagesUseOnlyLowerTiersAndWhatTheyAreGranted() throws IOException {
    assertThat(violations(CLASSES, ROOT, TIERS, grants(), inner())).isEmpty();
  }

  @Test
  void detectsUsesOfHigherTiersOfInnerPackagesAndWithoutAGrant() {
    Map<String, Set<String>> grants =
        Map.of("c.lower", Set.of(), "c.upper", Set.of("c.lower"), "a", Set.of(), "b", Set.of());
    List<String> tiers = List.of("b", "a", "c");
    assertThat(violations(OFFENDER, "offender", tiers, grants, Set.of("b.hidden")))
        .as("a use of a higher tier")
        .anySatisfy(use -> assertThat(use).contains("offender.b.B.upwards"))
        .as("a use of an inner package of another tier")
        .anySatisfy(use -> assertThat(use).contains("offender.a.A.inner"))
        .as("a use within a tier")
        .anySatisfy(use -> assertThat(use).contains("offender.c.lower.Lower.cycle"))
        .as("a use of the root package")
        .anySatisfy(use -> assertThat(use).contains("offender.a.A.root"))
        .noneSatisfy(use -> assertThat(use).contains("offender.c.upper.Upper.downwards"))
        .noneSatisfy(use -> assertThat(use).contains("offender.a.A.allowed"));
  }

  /// Inner packages are those that only their own tier uses. An engine that the server could start
  /// would run in its process.
  @Test
  void innerPackagesAreMarked() throws IOException {
    Set<String> usedElsewhere = new TreeSet<>();
    for (JavaClass origin : CLASSES) {
      String from = relativeName(origin, ROOT);
      for (Dependency dependency : origin.getDirectDependenciesFromSelf()) {
        String to = relativeName(dependency.getTargetClass().getBaseComponentType(), ROOT);
        if (!from.isEmpty() && !tier(from).equals(tier(to))) {
          usedElsewhere.add(to);
        }
      }
    }
    Set<String> expected = new TreeSet<>(grants().keySet());
    expected.removeAll(usedElsewhere);
    expected.removeIf(name -> tier(name).equals(TIERS.getLast()));
    assertThat(inner()).isEqualTo(expected);
  }

  private static String tier(String name) {
    return name.split("\\.")[0];
  }

  /// A grant beyond what the code needs lets a use come back unseen.
  @Test
  void grantsAreUsedAndHaveNoCycle() throws IOException {
    Map<String, Set<String>> used = new TreeMap<>();
    for (JavaClass origin : CLASSES) {
      for (Dependency dependency : origin.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        used.computeIfAbsent(relativeName(origin, ROOT), _ -> new TreeSet<>())
            .add(relativeName(target, ROOT));
      }
    }
    Set<String> above = new TreeSet<>();
    grants()
        .forEach((name, granted) -> {
          assertThat(used.getOrDefault(name, Set.of())).as(name).containsAll(granted);
          assertThat(above).as("packages above %s", name).containsAll(granted);
          above.add(name);
        });
  }

  /// The sentence of a package is also the first paragraph of its `package-info`.
  @Test
  void documentAndGrantsListThePackages() throws IOException {
    Set<String> packages =
        CLASSES.stream()
            .map(type -> relativeName(type, ROOT))
            .filter(name -> !name.isEmpty())
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(packages).hasSizeLessThanOrEqualTo(PACKAGES_MAXIMUM);
    assertThat(grants().keySet()).isEqualTo(packages);
    Map<String, String> sentences = new TreeMap<>();
    for (String line : rows(PACKAGES_HEAD)) {
      Matcher row = PACKAGE.matcher(line);
      assertThat(row.matches()).as(line).isTrue();
      sentences.put(row.group(1), row.group(2));
    }
    assertThat(sentences.keySet()).isEqualTo(packages);
    for (String name : packages) {
      Path file = Path.of("src/main/java/dev/quiver", name.replace('.', '/'), "package-info.java");
      String paragraph =
          Files.readAllLines(file).stream()
              .takeWhile(line -> line.startsWith("/// "))
              .map(line -> line.substring(4))
              .collect(Collectors.joining(" "));
      assertThat(paragraph).as(name).isEqualTo(sentences.get(name));
    }
  }

  @Test
  void packagesAreSmall() {
    assertThat(larger(CLASSES, CLASSES_MAXIMUM)).isEmpty();
    assertThat(larger(OFFENDER, 1)).contains("offender.c.lower").doesNotContain("offender.a");
  }

  private static Set<String> larger(JavaClasses classes, int maximum) {
    return topLevel(classes).stream()
        .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()))
        .entrySet()
        .stream()
        .filter(size -> size.getValue() > maximum)
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  @Test
  void noNameIsUsedTwice() {
    assertThat(repeatedNames(CLASSES)).isEmpty();
    assertThat(repeatedNames(OFFENDER)).containsExactly("Twice");
  }

  private static Set<String> repeatedNames(JavaClasses classes) {
    Map<String, Integer> counts = new HashMap<>();
    topLevel(classes).forEach(type -> counts.merge(type.getSimpleName(), 1, Integer::sum));
    return counts.keySet().stream()
        .filter(name -> counts.getOrDefault(name, 0) > 1)
        .collect(Collectors.toSet());
  }

  private static Collection<JavaClass> topLevel(JavaClasses classes) {
    return classes.stream()
        .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
        .toList();
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
    assertThat(notNullMarked(CLASSES)).isEmpty();
    assertThat(notNullMarked(OFFENDER)).contains("offender.a");
  }

  private static Set<String> notNullMarked(JavaClasses classes) {
    return classes.stream()
        .filter(type -> !type.getPackage().isAnnotatedWith("org.jspecify.annotations.NullMarked"))
        .map(JavaClass::getPackageName)
        .collect(Collectors.toSet());
  }

  @Test
  void onlyTheServerUsesTheFramework() {
    List<String> framework = List.of("org.springframework", "jakarta", "org.apache");
    assertThat(uses(CLASSES, name -> isIn(name, ROOT + ".server") || name.equals(ROOT), framework))
        .isEmpty();
    assertThat(uses(OFFENDER, name -> isIn(name, "offender.c"), framework))
        .anySatisfy(use -> assertThat(use).contains("offender.b.B.framework"))
        .anySatisfy(use -> assertThat(use).contains("offender.b.B.tomcat"))
        .allSatisfy(use -> assertThat(use).contains("offender.b.B."));
  }

  /// The library of this tier alone has these libraries, and JSpecify only when it is compiled.
  @Test
  void arrowUsesThreeLibraries() {
    List<String> used =
        List.of(
            ROOT + ".arrow",
            "java",
            "jdk.incubator.vector",
            "com.sun.management",
            "org.jspecify.annotations",
            "com.github.luben.zstd",
            "net.jpountz",
            "com.google.flatbuffers");
    assertThat(usesBeyond(CLASSES, ROOT + ".arrow", used)).isEmpty();
    assertThat(usesBeyond(OFFENDER, "offender.b", List.of("offender", "java")))
        .anySatisfy(use -> assertThat(use).contains("offender.b.B.framework"))
        .anySatisfy(use -> assertThat(use).contains("offender.b.B.tomcat"))
        .allSatisfy(use -> assertThat(use).contains("offender.b.B."));
  }

  /// Returns the uses, by the classes below a package, of classes outside of others.
  private static List<String> usesBeyond(JavaClasses classes, String parent, List<String> used) {
    return classes.stream()
        .filter(origin -> isIn(origin.getPackageName(), parent))
        .flatMap(origin -> origin.getDirectDependenciesFromSelf().stream())
        .filter(dependency -> {
          JavaClass target = dependency.getTargetClass().getBaseComponentType();
          return !target.isPrimitive() && used.stream().noneMatch(n -> isIn(target.getName(), n));
        })
        .map(Dependency::getDescription)
        .toList();
  }

  @Test
  void classesHaveAtMost400Lines() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      List<Path> sources = files.filter(file -> file.toString().endsWith(".java")).toList();
      assertThat(sources).hasSizeGreaterThan(1_000);
      for (Path source : sources) {
        assertThat(Files.readAllLines(source)).as("%s", source).hasSizeLessThanOrEqualTo(400);
      }
    }
  }

  @Test
  void onlyTransferAndConfigurationUseTomcat() {
    List<String> tomcat = List.of("org.apache.catalina", "org.apache.coyote", "org.apache.tomcat");
    List<String> permitted = List.of(".server.transfer", ".server.config");
    assertThat(uses(CLASSES, name -> permitted.contains(name.substring(ROOT.length())), tomcat))
        .isEmpty();
    assertThat(uses(OFFENDER, name -> isIn(name, "offender.c"), tomcat))
        .singleElement()
        .asString()
        .contains("offender.b.B.tomcat");
  }

  /// Requests queue in an Admission, which is fair, bounded, and left once the work is cancelled. A
  /// semaphore may bound the concurrent work of one operation, of listeners that no thread waits
  /// for, or of the processor of a connection.
  @Test
  void requestsQueueInAnAdmission() {
    Set<String> bounded =
        Set.of(
            "server.events.ListenerTurns",
            "server.transfer.DirectHttp11Processor",
            "sql.execution.FrameReceiver",
            "store.blob.ConcurrentRequests",
            "store.blob.s3.ChunkFetcher",
            "store.blob.s3.ObjectParts");
    assertThat(semaphores(CLASSES))
        .containsExactlyInAnyOrderElementsOf(
            bounded.stream().map(name -> ROOT + "." + name).toList());
    assertThat(semaphores(OFFENDER)).containsExactly("offender.b.B");
  }

  private static Set<String> semaphores(JavaClasses classes) {
    return names(
        classes,
        type ->
            type.getDirectDependenciesFromSelf().stream()
                .anyMatch(use -> use.getTargetClass().isEquivalentTo(Semaphore.class)));
  }

  /// Classes do not speak to each other through attributes of a request. A class may attach its own
  /// object, which has types and names; others set attributes that Tomcat reads.
  @Test
  void attributesAreThoseOfTheirClass() {
    Set<String> own =
        Set.of(
            "server.access.Access",
            "server.events.RequestWaits",
            "server.http.ProblemPages",
            "server.http.PublicPath",
            "server.transfer.Exchange");
    Set<String> ofTomcat =
        Set.of(
            "server.access.ForwardedFilter",
            "server.transfer.BodyMetrics",
            "server.transfer.ChunkedBodyOutput",
            "server.transfer.ConnectionBodyOutput");
    assertThat(attributed(CLASSES))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(own.stream(), ofTomcat.stream()).map(name -> ROOT + "." + name).toList());
    assertThat(attributed(OFFENDER)).containsExactly("offender.b.B");
  }

  private static Set<String> attributed(JavaClasses classes) {
    return names(
        classes,
        type ->
            type.getMethodCallsFromSelf().stream()
                .anyMatch(call ->
                    call.getName().equals("setAttribute")
                        && call.getTargetOwner().isAssignableTo(ServletRequest.class)));
  }

  private static Set<String> names(JavaClasses classes, Predicate<JavaClass> filter) {
    return classes.stream()
        .filter(filter)
        .map(type -> type.getName().replaceFirst("\\$.*", ""))
        .collect(Collectors.toSet());
  }

  /// A service that stores its data in a folder must not load the classes of the client.
  @Test
  void onlyTheS3StoreUsesTheS3Client() {
    assertThat(
            uses(CLASSES, name -> isIn(name, ROOT + ".store.blob.s3"), List.of("software.amazon")))
        .isEmpty();
  }

  /// A native function can end the process. Files call one of the system's, the engine all others.
  @Test
  void onlyTheEngineAndFilesCallNativeFunctions() {
    assertThat(uses(CLASSES, NATIVE::contains, List.of("java.lang.foreign.Linker"))).isEmpty();
  }

  private static boolean isIn(String name, String parent) {
    return name.equals(parent) || name.startsWith(parent + ".");
  }

  /// Returns the uses of foreign packages or classes outside of some packages.
  private static List<String> uses(
      JavaClasses classes, Predicate<String> permitted, List<String> foreign) {
    List<String> found = new ArrayList<>();
    for (JavaClass origin : classes) {
      for (Dependency dependency : origin.getDirectDependenciesFromSelf()) {
        String target = dependency.getTargetClass().getBaseComponentType().getName();
        if (!permitted.test(origin.getPackageName())
            && foreign.stream().anyMatch(name -> isIn(target, name))) {
          found.add(dependency.getDescription());
        }
      }
    }
    return found;
  }

  private static Set<String> violations(
      JavaClasses classes,
      String root,
      List<String> tiers,
      Map<String, Set<String>> grants,
      Set<String> inner) {
    Set<String> found = new TreeSet<>();
    for (JavaClass origin : classes) {
      String from = relativeName(origin, root);
      for (Dependency dependency : origin.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        String to = relativeName(target, root);
        boolean foreign = !isIn(target.getPackageName(), root);
        if (!from.isEmpty() && !from.equals(to) && !foreign) {
          int fromTier = tiers.indexOf(tier(from));
          int toTier = tiers.indexOf(tier(to));
          boolean permitted =
              fromTier == toTier
                  ? grants.getOrDefault(from, Set.of()).contains(to)
                  : 0 <= toTier && toTier < fromTier && !inner.contains(to);
          if (!permitted) {
            found.add(dependency.getDescription());
          }
        }
      }
    }
    return found;
  }

  /// Returns the name of the package below the root. It is empty for foreign classes and for the
  /// root package, which may use all packages and which none may use.
  private static String relativeName(JavaClass type, String root) {
    String name = type.getPackageName();
    return name.startsWith(root + ".") ? name.substring(root.length() + 1) : "";
  }

  private static Map<String, Set<String>> grants() throws IOException {
    Map<String, Set<String>> grants = new LinkedHashMap<>();
    for (MatchResult row : grantRows()) {
      String granted = row.group(2).strip();
      grants.put(row.group(1), granted.isEmpty() ? Set.of() : Set.of(granted.split(" ")));
    }
    return grants;
  }

  private static Set<String> inner() throws IOException {
    return grantRows().stream()
        .filter(row -> row.group().startsWith("("))
        .map(row -> row.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<MatchResult> grantRows() throws IOException {
    String rows = Files.readString(GRANTS).replaceAll("(?m)^#.*\\n", "");
    List<MatchResult> found = GRANT.matcher(rows).results().toList();
    assertThat(rows.lines().count()).isEqualTo(found.size());
    return found;
  }

  /// Returns the lines of all tables with this head, without the heads.
  private static List<String> rows(String head) throws IOException {
    List<String> lines = Files.readAllLines(DOCUMENT);
    assertThat(lines).contains(head);
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).equals(head)) {
        lines.stream().skip(i + 2).takeWhile(line -> line.startsWith("|")).forEach(rows::add);
      }
    }
    return rows;
  }
}
