package dev.quiver.server.pages;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The modules of the pages, joined to few scripts, since each request costs more than what a
/// module has to say.
///
/// The script of a page has all modules that it imports. That of a module that is fetched later has
/// those that are missing, without any that has a later script of its own, which it imports. Every
/// script keeps its modules in the same object, and adds none that is there already. So each module
/// is evaluated once, and a path of a module below the folder of the page always leads to the
/// instance that the page uses.
final class PageScripts {

  /// The folder of libraries, which are scripts of their own.
  static final String LIBRARIES = "vendor/";

  private final Map<String, ScriptModule> modules;

  /// The modules that are fetched later.
  private final Set<String> later;

  /// The modules and libraries that each module needs, in the order of their evaluation. The last
  /// is the module itself.
  private final Map<String, SequencedSet<String>> needs = new TreeMap<>();

  /// Creates the scripts of modules.
  ///
  /// @param modules by name, without libraries
  /// @throws IllegalArgumentException if they import something unknown, or each other
  PageScripts(Map<String, ScriptModule> modules) {
    this.modules = modules;
    later =
        modules.values().stream()
            .flatMap(module -> module.loaded().stream())
            .collect(Collectors.toUnmodifiableSet());
    modules.keySet().forEach(name -> visit(name, new LinkedHashSet<>()));
  }

  private SequencedSet<String> visit(String name, SequencedSet<String> importers) {
    SequencedSet<String> known = needs.get(name);
    if (known != null) {
      return known;
    }
    if (!importers.add(name)) {
      throw new IllegalArgumentException(
          "Expected no cycle but found one at %s, imported by %s".formatted(name, importers));
    }
    SequencedSet<String> found = new LinkedHashSet<>();
    module(name)
        .imported()
        .forEach((path, names) -> {
          if (path.startsWith(LIBRARIES)) {
            found.add(path);
            return;
          }
          if (!module(path).exported().keySet().containsAll(names)) {
            throw new IllegalArgumentException(
                "Expected exports %s but found %s at %s, imported by %s"
                    .formatted(names, module(path).exported().keySet(), path, name));
          }
          found.addAll(visit(path, importers));
        });
    found.add(name);
    importers.remove(name);
    needs.put(name, found);
    return found;
  }

  private ScriptModule module(String name) {
    ScriptModule module = modules.get(name);
    if (module == null) {
      throw new IllegalArgumentException("Expected a module but found none at " + name);
    }
    return module;
  }

  /// Returns whether a script can be made of a file.
  boolean has(String name) {
    return modules.containsKey(name);
  }

  /// Returns the libraries that a module needs.
  List<String> libraries(String name) {
    return need(name).stream().filter(each -> each.startsWith(LIBRARIES)).toList();
  }

  /// Returns the script of a page, or of a module that one fetches later.
  ///
  /// @param page the module of the page
  /// @param name the same module, or another
  /// @param libraries the path of the folder of all libraries from that of the page's modules
  String script(String page, String name, String libraries) {
    boolean isPage = name.equals(page);
    Set<String> present = new HashSet<>(isPage ? Set.of() : need(page));
    StringBuilder head = new StringBuilder();
    StringBuilder body = new StringBuilder();
    for (String library : libraries(name)) {
      if (present.add(library)) {
        String alias = "library" + present.size();
        head.append("import * as %s from '%s%s';\n".formatted(alias, libraries, library));
        body.append("modules['%s'] ??= %s;\n".formatted(library, alias));
      }
    }
    for (String each : need(name).reversed()) {
      if (!isPage && later.contains(each) && !each.equals(name) && !present.contains(each)) {
        head.append("import '../%s';\n".formatted(each));
        present.addAll(need(each));
      }
    }
    for (String each : need(name)) {
      if (present.add(each)) {
        // The module of a page may wait at its top level, and runs once anyway.
        String form =
            each.equals(page)
                ? "{\n%2$smodules['%1$s'] = %3$s;\n}\n"
                : "modules['%1$s'] ??= (() => {\n%2$sreturn %3$s;\n})();\n";
        body.append(form.formatted(each, module(each).code(), exports(each)));
      }
    }
    if (isPage) {
      return head + "export const modules = {};\n" + body;
    }
    return "import { modules } from '../%s';\n%s%sexport const { %s } = modules['%s'];\n"
        .formatted(page, head, body, String.join(", ", module(name).exported().keySet()), name);
  }

  private String exports(String name) {
    return module(name).exported().entrySet().stream()
        .map(each -> each.getKey() + ": " + each.getValue())
        .collect(Collectors.joining(", ", "{ ", " }"));
  }

  private SequencedSet<String> need(String name) {
    return Objects.requireNonNull(needs.get(name), name);
  }
}
