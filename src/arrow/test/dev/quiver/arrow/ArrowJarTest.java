package dev.quiver.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.Arrow.Compression;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ResolvedModule;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Checks the built jar as a module beside its three libraries.
class ArrowJarTest {

  private static final String NAME = "dev.quiver.arrow";
  private static final Path JAR = Path.of(System.getProperty("arrow.jar"));
  private static final Path FOLDER = Path.of("src/arrow");
  private static final Path README = FOLDER.resolve("README.md");
  private static final Path EXAMPLE = FOLDER.resolve("Slim.java");
  private static final Pattern LIBRARY =
      Pattern.compile(".*[/\\\\](zstd-jni|lz4-java|flatbuffers-java)-[^/\\\\]*");
  private static final Pattern OWN_TYPE = Pattern.compile("dev\\.quiver\\.[\\w.$]+");

  /// The most public types, without those that are nested in others.
  private static final int TYPES_MAXIMUM = 63;

  @Test
  void exportsFivePackagesThatAreDocumented() throws IOException {
    assertThat(exported(module()))
        .containsExactly(
            "dev.quiver.arrow",
            "dev.quiver.arrow.array",
            "dev.quiver.arrow.memory",
            "dev.quiver.arrow.type",
            "dev.quiver.arrow.validate");
    Set<String> documented =
        Pattern.compile("<include>([\\w/]+)/\\*\\.java</include>")
            .matcher(Files.readString(FOLDER.resolve("pom.xml")))
            .results()
            .map(include -> include.group(1).replace('/', '.'))
            .collect(Collectors.toSet());
    assertThat(documented).isEqualTo(exported(module()));
  }

  @Test
  void hasFewPublicTypes() throws Exception {
    assertThat(publicTypes())
        .extracting(Class::getSimpleName)
        .contains("Arrow", "RecordBatch", "Rule")
        .hasSizeLessThanOrEqualTo(TYPES_MAXIMUM);
  }

  /// A user cannot name the type of a package that is not exported.
  @Test
  void noSignatureNamesATypeOfAHiddenPackage() throws Exception {
    Set<String> exported = exported(module());
    Set<String> named = new TreeSet<>();
    Set<String> hidden = new TreeSet<>();
    for (Class<?> type : publicTypes()) {
      for (String signature : signatures(type).toList()) {
        for (MatchResult name : OWN_TYPE.matcher(signature).results().toList()) {
          named.add(name.group());
          if (!exported.contains(name.group().replaceAll("\\.[A-Z].*", ""))) {
            hidden.add(type.getName() + ": " + signature);
          }
        }
      }
    }
    assertThat(named).contains("dev.quiver.arrow.type.Schema");
    assertThat(hidden).isEmpty();
  }

  /// Returns the signatures of a type, its public members and its public nested types.
  private static Stream<String> signatures(Class<?> type) {
    Stream<Type> parents =
        Stream.concat(
            Stream.ofNullable(type.getGenericSuperclass()),
            Arrays.stream(type.getGenericInterfaces()));
    return Stream.of(
            Stream.of(type.toGenericString()),
            parents.map(Type::getTypeName),
            Arrays.stream(type.getConstructors()).map(Object::toString),
            Arrays.stream(type.getMethods()).map(method -> method.toGenericString()),
            Arrays.stream(type.getFields()).map(field -> field.toGenericString()),
            Arrays.stream(type.getClasses()).flatMap(ArrowJarTest::signatures))
        .flatMap(each -> each);
  }

  @Test
  void hasItsLicenseAndNotice() throws IOException {
    try (ModuleReader reader = module().reference().open()) {
      assertThat(reader.list()).contains("META-INF/LICENSE", "META-INF/NOTICE");
    }
  }

  @Test
  void librariesHaveTheVersionsOfTheService() throws IOException {
    Set<String> versions = versions(FOLDER.resolve("pom.xml"));
    assertThat(versions).hasSize(5);
    assertThat(versions(Path.of("pom.xml"))).containsAll(versions);
    assertThat(libraries()).hasSize(3);
  }

  private static Set<String> versions(Path pom) throws IOException {
    return Pattern.compile("<([\\w.-]+\\.version)>([^<]+)</")
        .matcher(Files.readString(pom))
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toSet());
  }

  /// The command of the README runs its example, without a warning of the JVM.
  @Test
  void exampleOfTheReadmeRunsAsPrinted(@TempDir Path folder) throws Exception {
    String example = Files.readString(EXAMPLE);
    assertThat(example.lines().dropWhile(line -> line.startsWith("import")).count())
        .isLessThanOrEqualTo(20);
    assertThat(Files.readString(README)).contains(example);
    Path file = folder.resolve("cities.arrow");
    writeCities(file);
    Path stream = folder.resolve("slim.arrows");
    assertThat(runAsPrinted(file, stream))
        .contains("1 batches of [name: utf8, people: int64]")
        .doesNotContain("WARNING:");
    try (ArrowReader reader = Arrow.read(Files.newInputStream(stream))) {
      assertThat(reader.iterator().next().columns().stream().map(Values::of).toList())
          .hasToString("[[Bonn, Ulm], [3, 1]]");
    }
  }

  private static void writeCities(Path file) throws IOException {
    Field name = Field.of("name", true, new ArrowType.Utf8());
    Field people = Field.of("people", true, new ArrowType.Int(64, true));
    Schema schema = Schema.of(name, Field.of("area", true, new ArrowType.Bool()), people);
    try (Arena arena = Arena.ofConfined();
        ArrowWriter writer =
            Arrow.writeFile(Files.newOutputStream(file), schema, Compression.LZ4)) {
      List<List<?>> columns =
          List.of(List.of("Bonn", "Ulm"), List.of(true, false), List.of(3L, 1L));
      writer.write(new ArrayBuilder(arena).recordBatch(schema, 2, columns));
      writer.finish();
    }
  }

  private static String runAsPrinted(Path file, Path stream) throws Exception {
    String printed =
        Files.readAllLines(README).stream()
            .filter(line -> line.startsWith("    java "))
            .findFirst()
            .orElseThrow();
    List<String> command = new ArrayList<>();
    for (String word : printed.strip().split(" ")) {
      command.add(
          switch (word) {
            case "java" -> Path.of(System.getProperty("java.home"), "bin", "java").toString();
            case "Slim.java" -> EXAMPLE.toString();
            case "cities.arrow" -> file.toString();
            case "slim.arrows" -> stream.toString();
            default ->
                word.endsWith(".jar")
                    ? modulePath().stream()
                        .map(Path::toString)
                        .collect(Collectors.joining(File.pathSeparator))
                    : word;
          });
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  private static List<Path> libraries() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(path -> LIBRARY.matcher(path).matches())
        .map(Path::of)
        .toList();
  }

  private static List<Path> modulePath() {
    return Stream.concat(Stream.of(JAR), libraries().stream()).toList();
  }

  private static Configuration configuration() {
    ModuleFinder finder = ModuleFinder.of(modulePath().toArray(Path[]::new));
    return ModuleLayer.boot().configuration().resolve(finder, ModuleFinder.of(), Set.of(NAME));
  }

  private static ResolvedModule module() {
    return configuration().findModule(NAME).orElseThrow();
  }

  private static Set<String> exported(ResolvedModule module) {
    return module.reference().descriptor().exports().stream()
        .map(Exports::source)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /// Returns the public types of exported packages, without nested ones.
  private static List<Class<?>> publicTypes() throws Exception {
    Set<String> exported = exported(module());
    ClassLoader loader =
        ModuleLayer.boot()
            .defineModulesWithOneLoader(configuration(), ClassLoader.getPlatformClassLoader())
            .findLoader(NAME);
    List<Class<?>> types = new ArrayList<>();
    try (ModuleReader reader = module().reference().open()) {
      for (String entry : reader.list().filter(name -> name.endsWith(".class")).toList()) {
        String name = entry.replace('/', '.').replaceFirst("\\.class$", "");
        String parent = name.substring(0, Math.max(name.lastIndexOf('.'), 0));
        if (exported.contains(parent) && !name.contains("$")) {
          Class<?> type = loader.loadClass(name);
          if (Modifier.isPublic(type.getModifiers())) {
            types.add(type);
          }
        }
      }
    }
    return types;
  }
}
