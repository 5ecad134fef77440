package dev.quiver;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Copies of the service's classes whose methods report each entry to [WalkedQuiver].
final class InstrumentedClasses {

  private static final ClassDesc WALKED_QUIVER = ClassDesc.of(WalkedQuiver.class.getName());
  private static final MethodTypeDesc ENTERED =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String);

  private final Path classes;
  private final ClassFile classFile;

  private InstrumentedClasses(Path classes) {
    this.classes = classes;
    classFile =
        ClassFile.of(
            ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(this::open)
                    .orElse(ClassHierarchyResolver.defaultResolver())));
  }

  /// Writes an instrumented copy of the folder of classes and resources that contains `type`.
  static void write(Class<?> type, Path target) throws IOException {
    Path classes = folder(type);
    InstrumentedClasses instrumented = new InstrumentedClasses(classes);
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = target.resolve(classes.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.write(copy, instrumented.copy(file));
      }
    }
  }

  private static Path folder(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private byte[] copy(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    if (!file.toString().endsWith(".class") || file.endsWith("package-info.class")) {
      return bytes;
    }
    ClassModel model = classFile.parse(bytes);
    String name =
        model.thisClass().asInternalName().substring("dev/quiver/".length()).replace('/', '.');
    String topLevelName = name.contains("$") ? name.substring(0, name.indexOf('$')) : name;
    return classFile.transformClass(
        model, ClassTransform.transformingMethodBodies(new Entered(topLevelName)));
  }

  private @Nullable InputStream open(ClassDesc type) {
    String descriptor = type.descriptorString();
    String name = descriptor.substring(1, descriptor.length() - 1) + ".class";
    Path file = classes.resolve(name);
    try {
      return Files.exists(file)
          ? Files.newInputStream(file)
          : InstrumentedClasses.class.getClassLoader().getResourceAsStream(name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private record Entered(String typeName) implements CodeTransform {

    @Override
    public void atStart(CodeBuilder code) {
      code.ldc(typeName).invokestatic(WALKED_QUIVER, "entered", ENTERED);
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      code.with(element);
    }
  }
}
