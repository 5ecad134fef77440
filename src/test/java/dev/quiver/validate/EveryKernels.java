package dev.quiver.validate;

import java.util.stream.Stream;

/// The kernels that this JVM can run.
final class EveryKernels {

  private EveryKernels() {}

  static Stream<Kernels> kernels() {
    Stream<Kernels> scalar = Stream.of(new ScalarKernels());
    return ModuleLayer.boot().findModule("jdk.incubator.vector").isEmpty()
        ? scalar
        : Stream.concat(scalar, Stream.of(new VectorKernels()));
  }
}
