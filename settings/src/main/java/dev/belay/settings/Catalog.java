package dev.belay.settings;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** All settings, in the order of the reference. */
public final class Catalog {

  private static final List<Group> GROUPS =
      List.of(
          ServerGroup.GROUP,
          DatabaseGroup.GROUP,
          EngineGroup.GROUP,
          RoutingGroup.GROUP,
          LeaderGroup.GROUP,
          ScheduleGroup.GROUP,
          EventGroup.GROUP,
          ReapGroup.GROUP,
          RetryGroup.GROUP,
          WorkerGroup.GROUP,
          RequestGroup.GROUP,
          JsonGroup.GROUP,
          ExpressionGroup.GROUP,
          TaskLogGroup.GROUP,
          HealthGroup.GROUP,
          RetentionGroup.GROUP,
          AgentGroup.GROUP,
          AgentLinkGroup.GROUP,
          AgentLogGroup.GROUP);

  private static final Map<String, Setting<?>> BY_NAME =
      GROUPS.stream()
          .flatMap(group -> group.settings().stream())
          .collect(
              Collectors.toMap(
                  Setting::name,
                  Function.identity(),
                  (one, other) -> {
                    throw new IllegalStateException(one + " is declared twice");
                  },
                  LinkedHashMap::new));

  private Catalog() {}

  public static List<Group> groups() {
    return GROUPS;
  }

  public static List<Setting<?>> all() {
    return List.copyOf(BY_NAME.values());
  }

  public static List<Setting<?>> of(ProcessKind process) {
    return BY_NAME.values().stream().filter(setting -> setting.isOf(process)).toList();
  }

  static List<String> names() {
    return List.copyOf(BY_NAME.keySet());
  }

  public static Optional<Setting<?>> named(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  static Map<String, Setting<?>> byVariable() {
    return BY_NAME.values().stream()
        .collect(Collectors.toMap(Setting::variable, Function.identity()));
  }

  static List<Rule> rules(ProcessKind process) {
    return GROUPS.stream()
        .flatMap(group -> group.rules().stream())
        .filter(rule -> rule.appliesTo(process))
        .toList();
  }
}
