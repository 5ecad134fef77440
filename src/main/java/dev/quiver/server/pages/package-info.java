/// All scripts, styles and documents of the pages, and the frame of each page.
@NullMarked
package dev.quiver.server.pages;

import org.jspecify.annotations.NullMarked;
