package dev.quiver.server.pages;

import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A module of the pages in a form that can stand beside others in one script: its code as a body
/// of a function, without the lines that are only comments.
///
/// ```text
/// Import  → 'import ' [ Names ' from ' | '* as ' Name ' from ' ] Path
/// Forward → 'export ' Names ' from ' Path
/// Export  → 'export ' ( 'const ' | 'class ' | [ 'async ' ] 'function' [ '*' ] ' ' ) Name
/// Names   → '{ ' Name [ ' as ' Name ] { ', ' Name [ ' as ' Name ] } ' }'
/// Path    → "'./" or "'../", the rest of a relative path, "';"
/// ```
///
/// Each begins a line. Other forms are rejected, since their meaning would need a parser. Paths
/// that are found at run time begin with `../`, because the joined script lies in another folder.
///
/// @param imported the names that are imported, by their modules
/// @param exported expressions by the names that they are exported as
/// @param loaded the modules that `load` of `lib/modules.js` fetches later
/// @param code declares what is imported and exported
record ScriptModule(
    String name,
    SequencedMap<String, List<String>> imported,
    SequencedMap<String, String> exported,
    Set<String> loaded,
    String code) {

  private static final String NAMES = "\\{ (\\w+(?: as \\w+)?(?:, \\w+(?: as \\w+)?)*) \\}";
  private static final Pattern IMPORT =
      Pattern.compile(
          "(import|export) (?:(?:" + NAMES + "|\\* as (\\w+)) from )?'(\\.\\.?/[\\w./-]+)';");
  private static final Pattern EXPORT =
      Pattern.compile("export ((?:const|class|(?:async )?function\\*?) (\\w+)\\b.*)");
  private static final Pattern LOAD = Pattern.compile("\\bload\\('([\\w./-]+)'\\)");
  private static final Pattern OTHER_FOLDER =
      Pattern.compile(
          "(?:await|return|=>|=) import\\(['`](?!\\.\\./)|URL\\(['`](?!\\.\\./).*import\\.meta");

  /// Reads a module.
  ///
  /// @throws IllegalArgumentException if it has a form that cannot be joined
  static ScriptModule parse(String name, String source) {
    Parser parser = new Parser(name);
    source.lines().forEach(parser::accept);
    return parser.end();
  }

  private static final class Parser {

    private final String name;
    private final SequencedMap<String, List<String>> imported = new LinkedHashMap<>();
    private final SequencedMap<String, String> exported = new LinkedHashMap<>();
    private final Set<String> loaded = new TreeSet<>();
    private final StringBuilder code = new StringBuilder();
    private int line;
    private boolean inComment;
    private boolean inTemplate;

    Parser(String name) {
      this.name = name;
    }

    void accept(String text) {
      line++;
      if (isComment(text.strip())) {
        return;
      }
      boolean isStatement = !inTemplate && (text.startsWith("import") || text.startsWith("export"));
      code.append(isStatement ? statement(text) : text).append('\n');
      if (text.contains("import") && OTHER_FOLDER.matcher(text).find()) {
        throw unexpected("a path from '../'", text);
      }
      if (text.contains("load(")) {
        LOAD.matcher(text).results().forEach(found -> loaded.add(found.group(1)));
      }
      for (int at = text.indexOf('`'); at >= 0; at = text.indexOf('`', at + 1)) {
        inTemplate = !inTemplate;
      }
    }

    /// Returns whether a line is only a comment. Templates are recognized by their quotes, so a
    /// quote elsewhere is taken for the beginning of a template, and rejected at the next comment.
    private boolean isComment(String text) {
      if (inComment) {
        inComment = !text.contains("*/");
        if (!inComment && !text.endsWith("*/")) {
          throw unexpected("a comment that ends its line", text);
        }
        return true;
      }
      boolean isBlock = text.startsWith("/*");
      if (!isBlock && !text.startsWith("//")) {
        return false;
      }
      if (inTemplate) {
        throw unexpected("no comment within backquotes", text);
      }
      int end = isBlock ? text.indexOf("*/", 2) + 2 : text.length();
      inComment = end == 1;
      return inComment || end == text.length();
    }

    private String statement(String text) {
      Matcher matcher = IMPORT.matcher(text);
      if (matcher.matches()) {
        return imported(matcher);
      }
      matcher = EXPORT.matcher(text);
      if (!matcher.matches()) {
        throw unexpected("an import or an export of a declaration", text);
      }
      exported.put(matcher.group(2), matcher.group(2));
      return matcher.group(1);
    }

    private String imported(Matcher statement) {
      String path = URI.create(name).resolve(statement.group(4)).toString();
      List<String> names = imported.computeIfAbsent(path, _ -> new ArrayList<>());
      String module = "modules['" + path + "']";
      if (statement.group(3) != null) {
        return "const " + statement.group(3) + " = " + module + ";";
      }
      if (statement.group(2) == null) {
        return "";
      }
      boolean isForward = statement.group(1).equals("export");
      for (String each : statement.group(2).split(", ")) {
        List<String> aliased = List.of(each.split(" as "));
        names.add(aliased.getFirst());
        if (isForward) {
          exported.put(aliased.getLast(), module + "." + aliased.getFirst());
        }
      }
      String pattern = statement.group(2).replace(" as ", ": ");
      return isForward ? "" : "const { %s } = %s;".formatted(pattern, module);
    }

    ScriptModule end() {
      if (inTemplate || inComment) {
        throw unexpected("the end of a comment or of a template", "the end");
      }
      return new ScriptModule(name, imported, exported, loaded, code.toString());
    }

    private IllegalArgumentException unexpected(String expected, String found) {
      return new IllegalArgumentException(
          "Expected %s but found %s at line %d of %s".formatted(expected, found, line, name));
    }
  }
}
