package dev.belay.settings;

import java.util.List;
import java.util.stream.Collectors;

/** The Markdown reference of all settings; the same on every machine. */
public final class ReferencePage {

  private static final String HEAD =
      """
      # Settings

      This page is generated: `belay config reference > docs/settings.md`.

      Every setting has one name. These three are the same: `agent-silent: 2m` in `belay.yaml`, `BELAY_AGENT_SILENT=2m` in the
      environment, and `--agent-silent 2m` (or `--set agent-silent=2m`) on the command line. Flags win over the environment, the
      environment over the file, and the file over the defaults. `belay config --process server` shows every value and its source;
      without `--process` it asks the running server.

      A process reads `belay.yaml` from `--config FILE`, else from `$BELAY_CONFIG`, else from the working folder or its `dir`; if
      both folders hold one, it refuses to start. The file is one flat mapping. A server and an agent can share one file: each uses
      its own settings, and both check all of them. Relative paths in the file start at the file's folder. You or root must own the
      file. Others must not be able to write it, or to read it if it holds a secret.

      Write durations like `500ms`, `10s`, `2m`, `1h30m`, `7d`; sizes like `512KiB`, `8MiB`, `1GiB`; lists with commas, or as lists
      in the file. If a value is wrong, a name is unknown or values do not fit together, the process does not start, and one message
      names every problem. A process reads its settings when it starts: every change needs a restart. The server that `belay run`
      starts for one run uses the defaults.

      Timeouts, retries and deadlines of a single task are keys of the workflow file: [workflow-file.md](workflow-file.md).
      """;

  private ReferencePage() {}

  public static String markdown() {
    var page = new StringBuilder(HEAD);
    for (Group group : Catalog.groups()) {
      page.append("\n## ").append(group.title()).append("\n\n");
      page.append("| name | type | default | bounds | process | meaning |\n");
      page.append("| --- | --- | --- | --- | --- | --- |\n");
      group.settings().forEach(setting -> page.append(row(setting)));
      if (!group.rules().isEmpty()) {
        page.append('\n');
        group.rules().forEach(rule -> page.append("- ").append(sentence(rule)).append(".\n"));
      }
    }
    return page.toString();
  }

  private static String row(Setting<?> setting) {
    return "| `%s` | %s | %s | %s | %s | %s |\n"
        .formatted(
            setting.name(),
            setting.type().word(),
            byDefault(setting),
            setting.bounds(),
            processes(setting),
            capital(setting.meaning()) + oldFlags(setting));
  }

  private static String byDefault(Setting<?> setting) {
    var usual = setting.processes().stream().filter(each -> each != ProcessKind.LITE).toList();
    String text = setting.defaultText(usual.isEmpty() ? ProcessKind.LITE : usual.getFirst());
    String lite = setting.isOf(ProcessKind.LITE) ? setting.defaultText(ProcessKind.LITE) : text;
    String required =
        List.of(ProcessKind.values()).stream().anyMatch(setting::isRequiredBy) ? "required" : "";
    return text.equals(lite) ? text + required : text + "; lite " + lite;
  }

  private static String processes(Setting<?> setting) {
    return List.of(ProcessKind.values()).stream()
        .filter(setting::isOf)
        .map(ProcessKind::word)
        .collect(Collectors.joining(", "));
  }

  private static String oldFlags(Setting<?> setting) {
    return setting.oldFlags().isEmpty()
        ? ""
        : " (also `%s`)".formatted(String.join(" ", setting.oldFlags()));
  }

  /** The rule with its settings' names as code; the text after the colon stays plain. */
  private static String sentence(Rule rule) {
    int colon = rule.text().indexOf(':');
    String must = colon < 0 ? rule.text() : rule.text().substring(0, colon);
    String why = rule.text().substring(must.length());
    for (Setting<?> setting : rule.about()) {
      must = must.replaceAll("(?<![\\w-])" + setting.name() + "(?![\\w-])", "`$0`");
    }
    return capital(must) + why;
  }

  private static String capital(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
