/// CSV as record batches: the fields of records, the types of columns, their values.
///
/// One thread finds the fields of all records, in order, because only the text before a line break
/// marks whether quotes enclose it. The values of the records, a block of them at a time, become
/// arrays on all cores.
///
/// Records follow RFC 4180. Lines may also end with a single line feed, or all with a single
/// carriage return. One space before the quote that begins a field and the spaces after the one
/// that ends it are not part of the field.
@NullMarked
package dev.quiver.formats.csv;

import org.jspecify.annotations.NullMarked;
