/// The vocabulary of datasets: names, references, summaries, conditions, results, exceptions.
@NullMarked
package dev.quiver.dataset.version;

import org.jspecify.annotations.NullMarked;
