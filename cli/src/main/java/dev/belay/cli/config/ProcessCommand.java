package dev.belay.cli.config;

import dev.belay.cli.command.BelayCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.settings.Catalog;
import dev.belay.settings.ProcessKind;
import dev.belay.settings.Setting;
import dev.belay.settings.SettingType;
import dev.belay.settings.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command that runs a process with settings. Each setting is a flag; the help shows a few. */
public abstract class ProcessCommand extends BelayCommand {

  private static final int ORDER = 10;

  private final ProcessKind process;

  @Option(
      names = "--config",
      order = 90,
      paramLabel = "FILE",
      description = {
        "Read settings from this file; else $$BELAY_CONFIG, else belay.yaml in the working folder",
        "or in --dir."
      })
  @Nullable Path file;

  @Option(
      names = "--set",
      order = 91,
      paramLabel = "NAME=VALUE",
      description = {
        "Set any setting, such as agent-silent=2m; repeatable. `belay config reference` lists",
        "them; each is also a flag (--agent-silent 2m) and a variable (BELAY_AGENT_SILENT=2m)."
      })
  List<String> assignments = new ArrayList<>();

  @Spec CommandSpec spec;

  protected ProcessCommand(ProcessKind process, CommandContext surroundings) {
    super(surroundings);
    this.process = process;
  }

  /** This command with a flag for each setting of its process. */
  public final CommandLine line() {
    var line = new CommandLine(this);
    int order = ORDER;
    for (Setting<?> setting : Catalog.of(process)) {
      if (!setting.isSecret()) {
        line.getCommandSpec().addOption(option(setting, order++));
      }
    }
    return line;
  }

  private OptionSpec option(Setting<?> setting, int order) {
    var names = new ArrayList<String>();
    names.add(setting.flag());
    names.addAll(setting.oldFlags());
    var option =
        OptionSpec.builder(names.toArray(String[]::new))
            .order(Math.min(order, 89))
            .hidden(!setting.isEveryday())
            .paramLabel(setting.type().word().toUpperCase(Locale.ROOT).replace("LIST OF ", ""))
            .description(description(setting));
    if (setting.type().equals(SettingType.FLAG)) {
      return option.type(String.class).arity("0..1").fallbackValue("true").build();
    }
    return setting.type().isList()
        ? option.type(List.class).auxiliaryTypes(String.class).arity("1").build()
        : option.type(String.class).arity("1").build();
  }

  private String description(Setting<?> setting) {
    String meaning = setting.meaning();
    String byDefault = setting.defaultText(process);
    return Character.toUpperCase(meaning.charAt(0))
        + meaning.substring(1).replace("$", "$$").replace("%", "%%")
        + (setting.type().isList() ? "; repeatable" : "")
        + (byDefault.isEmpty() ? "" : " (default: " + byDefault + ")")
        + ".";
  }

  /**
   * The settings of this process.
   *
   * @throws CommandFailed with every problem
   */
  protected final Settings settings() throws CommandFailed {
    return new GivenSettings(process, file, assignments, flags()).resolve(surroundings, this::note);
  }

  private Map<Setting<?>, String> flags() {
    var flags = new LinkedHashMap<Setting<?>, String>();
    for (Setting<?> setting : Catalog.of(process)) {
      OptionSpec option = spec.findOption(setting.flag());
      Object value = option == null ? null : option.getValue();
      if (value instanceof List<?> several && !several.isEmpty()) {
        flags.put(setting, String.join(",", several.stream().map(String::valueOf).toList()));
      } else if (value instanceof String text) {
        flags.put(setting, text);
      }
    }
    return flags;
  }
}
