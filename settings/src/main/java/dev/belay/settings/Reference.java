package dev.belay.settings;

import java.util.List;
import java.util.stream.Collectors;

/** The reference page of all settings, in Markdown; the same on every machine. */
public final class Reference {

  private static final String HEAD =
      """
      # Settings

      This page is generated: `belay config reference > docs/settings.md`.

      Every setting has one name. `agent-silent: 2m` in `belay.yaml`, `BELAY_AGENT_SILENT=2m` in the environment and
      `--agent-silent 2m` on the command line (or `--set agent-silent=2m`) mean the same. Flags win over the environment, the
      environment wins over the file, the file wins over the defaults. `belay config --process server` shows every value and where it
      comes from; without `--process` it asks the running server.

      A process reads `belay.yaml` from `--config FILE`, else from `$BELAY_CONFIG`, else from the working folder or its `dir`; two
      different files there are refused. The file is one flat mapping. One file can serve a server and an agent: each takes its own
      settings, and both check all of them. A relative path in the file is meant beside the file. The file must belong to you or to
      root, and others must not be able to write it, or to read it when it holds a secret.

      Durations are written like `500ms`, `10s`, `2m`, `1h30m`, `7d`; sizes like `512KiB`, `8MiB`, `1GiB`; lists with commas, or as
      lists in the file. A wrong value, an unknown name or values that do not fit together stop the start, all named in one message.
      A process reads its settings when it starts: every change needs a restart. `belay run` has a server of its own for one run,
      which uses the defaults.

      Times and limits of a single task (timeouts, retries, deadlines) are keys of the workflow file: [workflow-file.md](workflow-file.md).
      """;

  private Reference() {}

  public static String markdown() {
    var page = new StringBuilder(HEAD);
    for (Group group : Catalog.groups()) {
      page.append("\n## ").append(group.title()).append("\n\n");
      page.append("| name | type | default | bounds | process | meaning |\n");
      page.append("| --- | --- | --- | --- | --- | --- |\n");
      group.settings().forEach(setting -> page.append(row(setting)));
      if (!group.rules().isEmpty()) {
        page.append('\n');
        group.rules().forEach(rule -> page.append("- ").append(capital(rule.text())).append(".\n"));
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

  private static String capital(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
