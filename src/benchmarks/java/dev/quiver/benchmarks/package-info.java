/// Peers, clients and kernels for `src/benchmarks/run`.
@NullMarked
package dev.quiver.benchmarks;

import org.jspecify.annotations.NullMarked;
