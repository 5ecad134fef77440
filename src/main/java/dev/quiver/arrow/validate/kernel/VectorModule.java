package dev.quiver.arrow.validate.kernel;

import java.lang.management.ManagementFactory;
import java.util.List;

/// The module `jdk.incubator.vector`, without which loops over values are scalar.
///
/// A JVM may be started with it (`--add-modules`), but JDK 25 then neither archives its modules nor
/// links classes ahead of time. Where `jdk.internal.module` is exported, as by the manifest of the
/// service, the module is therefore loaded when it is needed first. The JVM recognizes it by its
/// name then, too, and compiles it to vector instructions.
public final class VectorModule {

  private static final String NAME = "jdk.incubator.vector";

  /// The options of JDK 25 that record.
  private static final List<String> RECORDING =
      List.of("-XX:AOTCacheOutput=", "-XX:AOTMode=record");

  private static final boolean PRESENT =
      ModuleLayer.boot().findModule(NAME).isPresent() || (!isRecorded() && isLoaded());

  private VectorModule() {}

  /// Whether code that uses the module can be linked. The first call may load it, which takes some
  /// milliseconds.
  public static boolean isPresent() {
    return PRESENT;
  }

  /// Whether the JVM records a start for others. A recording with classes that use the module would
  /// fail, since the JVM that makes it has only the modules of the start.
  private static boolean isRecorded() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .anyMatch(argument -> RECORDING.stream().anyMatch(argument::startsWith));
  }

  private static boolean isLoaded() {
    try {
      Object module =
          Class.forName("jdk.internal.module.Modules")
              .getMethod("loadModule", String.class)
              .invoke(null, NAME);
      VectorModule.class.getModule().addReads((Module) module);
      return true;
    } catch (ReflectiveOperationException e) {
      // The package is not exported, or this JDK has no such method.
      return false;
    }
  }
}
