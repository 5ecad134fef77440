package dev.quiver.server.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The scripts of the pages. Their folders are small, and each begins with a comment. Their types
/// are checked by `src/test/pages/tsconfig.json`. `test_scripts_page.py` compares all joined
/// scripts with their modules, and runs them.
class PageScriptsTest {

  private static final Path PAGE =
      Path.of("src/main/resources/dev/quiver/server/pages/page").toAbsolutePath();
  private static final int MAX_SCRIPTS = 20;

  @Test
  void foldersHaveAtMost20Scripts() throws IOException {
    Map<String, Long> counts =
        files().stream()
            .filter(path -> path.toString().endsWith(".js"))
            .collect(
                Collectors.groupingBy(
                    path -> PAGE.relativize(path.getParent()).toString(),
                    TreeMap::new,
                    Collectors.counting()));
    assertThat(counts.keySet())
        .containsExactly(
            "anatomy", "chart", "dataset", "drawers", "filter", "grid", "lib", "sql", "upload",
            "vendor");
    assertThat(counts.values()).allMatch(count -> count <= MAX_SCRIPTS, "at most " + MAX_SCRIPTS);
  }

  @Test
  void namesAreUnique() throws IOException {
    assertThat(files()).extracting(path -> path.getFileName().toString()).doesNotHaveDuplicates();
  }

  @Test
  void scriptsSayWhatTheyAreAndHaveTypes() throws IOException {
    for (Path script : ownScripts()) {
      List<String> lines = Files.readAllLines(script);
      assertThat(lines.getFirst()).as(script.toString()).matches("// [A-Z].{19,}");
      assertThat(lines.subList(0, 6)).as(script.toString()).contains("// @ts-check");
    }
  }

  @Test
  void scriptOfAPageHasItsModulesInOrder() {
    PageScripts scripts =
        scripts(
            Map.of(
                "rows/rows-page.js", "import { b } from '../lib/b.js';\nawait b();\n",
                "lib/b.js", "import { a } from './a.js';\nexport const b = () => a;\n",
                "lib/a.js", "import '../vendor/x.min.js';\nexport const a = globalThis.x;\n"));
    assertThat(scripts.script("rows/rows-page.js", "rows/rows-page.js", "../../1/"))
        .isEqualTo(
            """
            import * as library1 from '../../1/vendor/x.min.js';
            export const modules = {};
            modules['vendor/x.min.js'] ??= library1;
            modules['lib/a.js'] ??= (() => {

            const a = globalThis.x;
            return { a: a };
            })();
            modules['lib/b.js'] ??= (() => {
            const { a } = modules['lib/a.js'];
            const b = () => a;
            return { b: b };
            })();
            {
            const { b } = modules['lib/b.js'];
            await b();
            modules['rows/rows-page.js'] = {  };
            }
            """);
    assertThat(scripts.libraries("rows/rows-page.js")).containsExactly("vendor/x.min.js");
  }

  @Test
  void scriptOfALaterModuleHasOnlyWhatIsMissing() {
    PageScripts scripts =
        scripts(
            Map.of(
                "rows/rows-page.js", "import { a } from '../lib/a.js';\na();\n",
                "lib/a.js", "export const a = () => load('rows/b.js') ?? load('rows/c.js');\n",
                "lib/d.js", "import * as x from '../vendor/x.min.js';\nexport class D {}\n",
                "rows/b.js",
                    """
                    import { c as d } from './c.js';
                    import { a } from '../lib/a.js';
                    import { D } from '../lib/d.js';
                    export const b = a(d, D);
                    """,
                "rows/c.js", "import { D } from '../lib/d.js';\nexport const c = D;\n"));
    assertThat(scripts.script("rows/rows-page.js", "rows/b.js", "../../1/"))
        .isEqualTo(
            """
            import { modules } from '../rows/rows-page.js';
            import * as library3 from '../../1/vendor/x.min.js';
            import '../rows/c.js';
            modules['vendor/x.min.js'] ??= library3;
            modules['rows/b.js'] ??= (() => {
            const { c: d } = modules['rows/c.js'];
            const { a } = modules['lib/a.js'];
            const { D } = modules['lib/d.js'];
            const b = a(d, D);
            return { b: b };
            })();
            export const { b } = modules['rows/b.js'];
            """);
    assertThat(scripts.script("rows/rows-page.js", "rows/c.js", "../../1/"))
        .isEqualTo(
            """
            import { modules } from '../rows/rows-page.js';
            import * as library3 from '../../1/vendor/x.min.js';
            modules['vendor/x.min.js'] ??= library3;
            modules['lib/d.js'] ??= (() => {
            const x = modules['vendor/x.min.js'];
            class D {}
            return { D: D };
            })();
            modules['rows/c.js'] ??= (() => {
            const { D } = modules['lib/d.js'];
            const c = D;
            return { c: c };
            })();
            export const { c } = modules['rows/c.js'];
            """);
    assertThat(scripts.script("rows/rows-page.js", "lib/a.js", "../../1/"))
        .isEqualTo(
            """
            import { modules } from '../rows/rows-page.js';
            export const { a } = modules['lib/a.js'];
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          import { c } from './c.js'; | Expected a module but found none at lib/c.js
          import { c } from './b.js'; | Expected exports [c] but found [b] at lib/b.js, imported by lib/a.js
          import { b } from './b.js'; | Expected no cycle but found one at lib/a.js, imported by [lib/a.js, lib/b.js]
          """)
  void modulesThatCannotBeOrderedAreRejected(String line, String message) {
    Map<String, String> sources =
        Map.of("lib/a.js", line, "lib/b.js", "import './a.js';\nexport const b = 1;\n");
    assertThatThrownBy(() -> scripts(sources)).hasMessage(message);
  }

  private static PageScripts scripts(Map<String, String> sources) {
    Map<String, ScriptModule> modules = new TreeMap<>();
    sources.forEach((name, source) -> modules.put(name, ScriptModule.parse(name, source)));
    return new PageScripts(modules);
  }

  private static List<Path> ownScripts() throws IOException {
    return files().stream()
        .filter(path -> path.toString().endsWith(".js") && !path.startsWith(PAGE.resolve("vendor")))
        .toList();
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(PAGE)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }
}
