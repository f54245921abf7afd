package dev.belay.settings;

import dev.belay.workflow.Suggestion;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Values given to one process by a file, then the environment, then flags. The last one wins; all
 * are checked.
 */
public final class Layers {

  private static final String PREFIX = "BELAY_";

  /** Variables that are not settings: the launcher's, those of commands and tasks, our tests'. */
  private static final Set<String> OTHER_VARIABLES =
      Set.of(
          "BELAY_CONFIG",
          "BELAY_HOME",
          "BELAY_TOKEN_FILE",
          "BELAY_DEBUG",
          "BELAY_JAVA_HOME",
          "BELAY_JAVA_OPTS",
          "BELAY_AOT",
          "BELAY_TASK_ID",
          "BELAY_RUN_ID",
          "BELAY_TASK_NAME",
          "BELAY_ATTEMPT",
          "BELAY_FENCE",
          "BELAY_WORKFLOW",
          "BELAY_TENANT",
          "BELAY_DISPATCH_ID",
          "BELAY_AGENT_SESSION");

  private static final List<String> OTHER_PREFIXES =
      List.of("BELAY_TEST_", "BELAY_BENCH_", "BELAY_PROOF_");

  /** Kubernetes sets these for each service whose name starts with belay, even BELAY_PORT. */
  private static final Pattern SERVICE_LINK =
      Pattern.compile(".*_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT(_[0-9]+_(TCP|UDP)(_.*)?)?)");

  private static final Pattern SERVICE_ADDRESS = Pattern.compile("(tcp|udp)://.*");

  private final ProcessKind process;
  private final Map<Setting<?>, Settings.Chosen<?>> chosen = new HashMap<>();
  private final List<String> problems = new ArrayList<>();

  public Layers(ProcessKind process) {
    this.process = process;
  }

  /**
   * The result of reading the settings.
   *
   * @param settings empty when there is a problem
   */
  public record Resolved(Optional<Settings> settings, List<String> problems) {}

  /** Adds the keys of the file; checks those of other processes but does not use them. */
  public void file(ConfigFile file) {
    problems.addAll(file.problems());
    for (ConfigFile.Given given : file.givens()) {
      var source = new Source.File(file.path(), given.line());
      Catalog.named(given.name())
          .ifPresentOrElse(
              setting -> give(setting, given.text(), source, file.path().getParent()),
              () ->
                  problem(
                      source,
                      "there is no setting \"%s\".%s"
                          .formatted(given.name(), meant(given.name(), Catalog.names()))));
    }
  }

  /** Adds all variables whose names start with BELAY_; an empty one counts as missing. */
  public void environment(Map<String, String> variables) {
    var byVariable = Catalog.byVariable();
    new TreeMap<>(variables)
        .forEach(
            (name, text) -> {
              if (!name.startsWith(PREFIX) || text.isBlank() || isOther(name, text, byVariable)) {
                return;
              }
              var source = new Source.Variable(name);
              Setting<?> setting = byVariable.get(name);
              if (setting == null) {
                problem(source, "there is no such setting." + meant(name, byVariable.keySet()));
              } else {
                give(setting, text, source, null);
              }
            });
  }

  private static boolean isOther(String name, String text, Map<String, Setting<?>> byVariable) {
    boolean isLink = SERVICE_LINK.matcher(name).matches();
    if (byVariable.containsKey(name)) {
      return isLink && SERVICE_ADDRESS.matcher(text).matches();
    }
    return isLink
        || OTHER_VARIABLES.contains(name)
        || OTHER_PREFIXES.stream().anyMatch(name::startsWith);
  }

  /** Adds a flag of this setting. */
  public void flag(Setting<?> setting, String flag, String text) {
    give(setting, text, new Source.Flag(flag), null);
  }

  /** Adds a {@code --set NAME=VALUE}. */
  public void assignment(String given) {
    int equals = given.indexOf('=');
    if (equals < 0) {
      problem(new Source.Flag("--set " + given), "write it like agent-silent=2m.");
      return;
    }
    String name = given.substring(0, equals);
    var source = new Source.Flag("--set " + name);
    var mine = Catalog.of(process).stream().filter(each -> !each.isSecret()).toList();
    mine.stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .ifPresentOrElse(
            setting -> give(setting, given.substring(equals + 1), source, null),
            () ->
                problem(
                    source,
                    "no such setting of the %s.%s"
                        .formatted(
                            process.word(),
                            meant(name, mine.stream().map(Setting::name).toList()))));
  }

  private <T> void give(Setting<T> setting, String text, Source source, @Nullable Path base) {
    String name = setting.name();
    Optional<T> value = setting.type().parse(text);
    if (value.isEmpty()) {
      String shown = setting.isSecret() ? "the value" : "\"" + text + "\"";
      problem(source, "%s: %s is not %s.".formatted(name, shown, setting.type().form()));
    } else if (!setting.isWithinBounds(value.get())) {
      problem(
          source,
          "%s must be between %s, not %s."
              .formatted(name, setting.bounds().replace(" to ", " and "), text));
    } else if (setting.isOf(process)) {
      chosen.put(setting, new Settings.Chosen<>(placed(value.get(), base), source));
    }
  }

  /** Resolves a path in a file against that file's folder. */
  @SuppressWarnings("unchecked") // a Path stays a Path
  private static <T> T placed(T value, @Nullable Path base) {
    return base != null && value instanceof Path path ? (T) base.resolve(path) : value;
  }

  private void problem(Source source, String what) {
    problems.add(source.text() + ": " + what);
  }

  private static String meant(String typed, Collection<String> known) {
    return Suggestion.nearest(typed, known)
        .map(name -> " Did you mean %s?".formatted(name))
        .orElse(" `belay config reference` lists all settings.");
  }

  /** Checks the given values, one by one and together. */
  public Resolved resolve() {
    return resolve(true);
  }

  /** Like {@link #resolve}, but required settings may be missing: to show, not to start. */
  public Resolved preview() {
    return resolve(false);
  }

  private Resolved resolve(boolean whole) {
    var settings = new Settings(process, chosen);
    var found = new ArrayList<>(problems);
    var unfit = new ArrayList<Setting<?>>();
    for (Setting<?> setting : settings.all()) {
      if (setting.isRequiredBy(process) && settings.find(setting).isEmpty()) {
        unfit.add(setting);
        if (!whole) {
          continue;
        }
        found.add(
            "%s is not set: %s. Set it with %s, %s or in belay.yaml."
                .formatted(setting.name(), setting.meaning(), setting.flag(), setting.variable()));
      }
    }
    for (Rule rule : Catalog.rules(process)) {
      if (rule.about().stream().noneMatch(unfit::contains) && !rule.holds().test(settings)) {
        found.add(rule.complaint(settings));
      }
    }
    return new Resolved(
        found.isEmpty() ? Optional.of(settings) : Optional.empty(), List.copyOf(found));
  }
}
