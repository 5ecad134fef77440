package dev.quiver.server.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptModuleTest {

  @Test
  void namesAreImportedFromModulesByTheirPaths() {
    ScriptModule module =
        parse(
            """
            import { element, text as plain } from '../lib/elements.js';
            import * as library from '../vendor/plot.min.js';
            import './axes.js';
            element(plain, library);
            """);
    assertThat(module.code())
        .isEqualTo(
            """
            const { element, text: plain } = modules['lib/elements.js'];
            const library = modules['vendor/plot.min.js'];

            element(plain, library);
            """);
    assertThat(module.imported().toString())
        .isEqualTo("{lib/elements.js=[element, text], vendor/plot.min.js=[], grid/axes.js=[]}");
  }

  @Test
  void declarationsAreExportedByTheirNames() {
    ScriptModule module =
        parse(
            """
            export const LIMIT = 1;
            export class Grid {
            }
            export function* rows() {}
            export async function load() {}
            """);
    assertThat(module.code())
        .isEqualTo(
            """
            const LIMIT = 1;
            class Grid {
            }
            function* rows() {}
            async function load() {}
            """);
    assertThat(module.exported().toString())
        .isEqualTo("{LIMIT=LIMIT, Grid=Grid, rows=rows, load=load}");
  }

  @Test
  void importedNamesAreExportedAgain() {
    ScriptModule module = parse("export { copy as share, select } from '../lib/clipboard.js';\n");
    assertThat(module.code()).isBlank();
    assertThat(module.imported().toString()).isEqualTo("{lib/clipboard.js=[copy, select]}");
    assertThat(module.exported().toString())
        .isEqualTo(
            "{share=modules['lib/clipboard.js'].copy, select=modules['lib/clipboard.js'].select}");
  }

  @Test
  void linesOfCommentsAreLeftOut() {
    ScriptModule module =
        parse(
            """
            // A grid.
            /** @typedef {number} Row */
            /**
             * Draws.
             */
            draw(/** @type {Row} */ (row)); // at once
              // before
              /** @type {Row} */ (row).draw();
            write(`
            SELECT 1 -- one
            import nothing
            export ${nothing}`);
            """);
    assertThat(module.code())
        .isEqualTo(
            """
            draw(/** @type {Row} */ (row)); // at once
              /** @type {Row} */ (row).draw();
            write(`
            SELECT 1 -- one
            import nothing
            export ${nothing}`);
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          import grid from './grid.js';                  | an import or an export of a declaration
          import { grid } from 'grid';                   | an import or an export of a declaration
          import { grid } from "./grid.js";              | an import or an export of a declaration
          import {                                       | an import or an export of a declaration
          export default class {                         | an import or an export of a declaration
          export let rows = 1;                           | an import or an export of a declaration
          export { rows };                               | an import or an export of a declaration
          export * from './grid.js';                     | an import or an export of a declaration
          export const { rows } = grid;                  | an import or an export of a declaration
          const { Grid } = await import('./grid.js');    | a path from '../'
          return import(`./${name}`);                    | a path from '../'
          const url = new URL('./x', import.meta.url);   | a path from '../'
          write('`');                                    | the end of a comment or of a template
          write('`');⏎// A comment.                      | no comment within backquotes
          write(`⏎/* 1 */ 2`);                           | no comment within backquotes
          /*⏎ * A comment. */ rows();                    | a comment that ends its line
          /** A comment without an end.                  | the end of a comment or of a template
          """)
  void otherFormsAreRejected(String source, String expected) {
    assertThatThrownBy(() -> parse(source.replace('⏎', '\n')))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching(
            "(?s)Expected \\Q%s\\E but found .+ at line [12] of grid/grid\\.js"
                .formatted(expected));
  }

  private static ScriptModule parse(String source) {
    return ScriptModule.parse("grid/grid.js", source);
  }
}
