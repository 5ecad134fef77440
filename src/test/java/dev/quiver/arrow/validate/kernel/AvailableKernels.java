package dev.quiver.arrow.validate.kernel;

import java.util.stream.Stream;

/// The kernels that this JVM can run.
public final class AvailableKernels {

  private AvailableKernels() {}

  public static Stream<Kernels> kernels() {
    Stream<Kernels> scalar = Stream.of(new ScalarKernels());
    return ModuleLayer.boot().findModule("jdk.incubator.vector").isEmpty()
        ? scalar
        : Stream.concat(scalar, Stream.of(new VectorKernels()));
  }
}
