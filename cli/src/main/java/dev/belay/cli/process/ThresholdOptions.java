package dev.belay.cli.process;

import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
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
import picocli.CommandLine.Option;

/** The times of a server, set from its command line. */
public final class ThresholdOptions {

  @Option(
      names = "--set",
      paramLabel = "NAME=DURATION",
      description = {
        "Set one of the times that decide what the server does, such as agent-silent=2m;"
            + " repeatable. `belay config` shows all of them."
      })
  List<String> set = new ArrayList<>();

  ServerSettings.Intervals intervals() throws CommandFailed {
    Map<Threshold, Duration> chosen = new EnumMap<>(Threshold.class);
    for (String each : set) {
      int equals = each.indexOf('=');
      if (equals < 0) {
        throw usage("--set %s: write it like agent-silent=2m.".formatted(each));
      }
      var name = each.substring(0, equals);
      var value = each.substring(equals + 1);
      var threshold =
          Threshold.named(name)
              .orElseThrow(
                  () -> usage("--set %s: no such setting. There are %s.".formatted(name, names())));
      var duration =
          Durations.parse(value)
              .orElseThrow(
                  () ->
                      usage(
                          "--set %s: \"%s\" is not a duration. Write it like 500ms, 10s or 2m."
                              .formatted(name, value)));
      chosen.put(threshold, duration);
    }
    try {
      return Threshold.set(chosen);
    } catch (IllegalArgumentException unfit) {
      throw new CommandFailed(
          ExitCode.USAGE, "--set does not fit: %s.".formatted(unfit.getMessage()), unfit);
    }
  }

  /** As arguments of another process. */
  public List<String> arguments() {
    return set.stream().flatMap(each -> List.of("--set", each).stream()).toList();
  }

  private static String names() {
    return Arrays.stream(Threshold.values()).map(Threshold::word).collect(Collectors.joining(", "));
  }

  private static CommandFailed usage(String message) {
    return new CommandFailed(ExitCode.USAGE, message);
  }
}
