/// Checks of arrays against the format: levels, findings, and a class for each rule.
@NullMarked
package dev.quiver.arrow.validate;

import org.jspecify.annotations.NullMarked;
