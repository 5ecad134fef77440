/// Validation: is this data what the format says? [dev.quiver.validate.Validator] answers with
/// findings, by the rules of [dev.quiver.validate.Rule].
@NullMarked
package dev.quiver.validate;

import org.jspecify.annotations.NullMarked;
