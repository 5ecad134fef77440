/// Validation of data against the format. [dev.quiver.validate.Validator] returns findings by the
/// rules of [dev.quiver.validate.Rule].
@NullMarked
package dev.quiver.validate;

import org.jspecify.annotations.NullMarked;
