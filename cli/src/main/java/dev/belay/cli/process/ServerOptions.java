package dev.belay.cli.process;

import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.server.Limit;
import dev.belay.server.Limits;
import dev.belay.server.ServerSettings;
import dev.belay.server.Threshold;
import dev.belay.workflow.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The times and limits of a server, set from its command line. */
public final class ServerOptions {

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = {
        "Set one of the times and limits of the server, such as agent-silent=2m or body-max=4MiB;"
            + " repeatable. `belay config` shows all of them."
      })
  List<String> set = new ArrayList<>();

  ServerSettings.Intervals intervals() throws CommandFailed {
    Map<Threshold, Duration> chosen = new EnumMap<>(Threshold.class);
    for (Choice each : choices()) {
      var threshold = Threshold.named(each.name());
      if (threshold.isPresent()) {
        chosen.put(
            threshold.get(),
            Durations.parse(each.value())
                .orElseThrow(() -> unfit(each, Limit.Unit.MILLIS.meaning())));
      }
    }
    try {
      return Threshold.set(chosen);
    } catch (IllegalArgumentException unfit) {
      throw new CommandFailed(
          ExitCode.USAGE, "--set does not fit: %s.".formatted(unfit.getMessage()), unfit);
    }
  }

  Limits limits() throws CommandFailed {
    Map<Limit, Long> chosen = new EnumMap<>(Limit.class);
    for (Choice each : choices()) {
      var limit = Limit.named(each.name());
      if (limit.isPresent()) {
        chosen.put(
            limit.get(),
            limit
                .get()
                .parse(each.value())
                .orElseThrow(() -> unfit(each, limit.get().unit().meaning())));
      }
    }
    return new Limits(chosen);
  }

  /** As arguments of another process. */
  public List<String> arguments() {
    return set.stream().flatMap(each -> List.of("--set", each).stream()).toList();
  }

  private record Choice(String name, String value) {}

  private List<Choice> choices() throws CommandFailed {
    List<Choice> choices = new ArrayList<>();
    for (String each : set) {
      int equals = each.indexOf('=');
      if (equals < 0) {
        throw usage("--set %s: write it like agent-silent=2m.".formatted(each));
      }
      var choice = new Choice(each.substring(0, equals), each.substring(equals + 1));
      if (names().noneMatch(choice.name()::equals)) {
        throw usage(
            "--set %s: no such setting. There are %s."
                .formatted(choice.name(), names().collect(Collectors.joining(", "))));
      }
      choices.add(choice);
    }
    return choices;
  }

  private static Stream<String> names() {
    return Stream.concat(
        Arrays.stream(Threshold.values()).map(Threshold::word),
        Arrays.stream(Limit.values()).map(Limit::word));
  }

  private static CommandFailed unfit(Choice choice, String wanted) {
    return usage("--set %s: \"%s\" is not %s.".formatted(choice.name(), choice.value(), wanted));
  }

  private static CommandFailed usage(String message) {
    return new CommandFailed(ExitCode.USAGE, message);
  }
}
