/// The scripts, styles and pictures of the pages.
@NullMarked
package dev.quiver.web.page;

import org.jspecify.annotations.NullMarked;
