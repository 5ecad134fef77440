/// The syntax of statements and conditions: the datasets they name, the functions they may use, and
/// the meaning of their mistakes.
@NullMarked
package dev.quiver.sql.syntax;

import org.jspecify.annotations.NullMarked;
