package dev.belay.cli.terminal;

import dev.belay.domain.id.Ids;
import java.io.BufferedReader;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a command takes from outside.
 *
 * @param terminal whether out is a terminal
 * @param clock with the zone in which times are shown
 * @param ticker monotonic nanoseconds
 * @param signals used only by commands that must end something in order
 * @param typed what a person types; null when stdin is not a terminal
 */
public record CommandContext(
    PrintStream out,
    PrintStream err,
    boolean terminal,
    Map<String, String> env,
    Clock clock,
    LongSupplier ticker,
    Ids ids,
    Supplier<StopSignals> signals,
    Supplier<@Nullable BufferedReader> typed) {

  public CommandContext {
    env = Map.copyOf(env);
  }

  /** An environment variable; an empty one counts as missing. */
  public @Nullable String variable(String name) {
    String value = env.get(name);
    return value == null || value.isBlank() ? null : value;
  }

  public Style style() {
    boolean plain = variable("NO_COLOR") != null || "dumb".equals(variable("TERM"));
    return new Style(terminal && !plain);
  }

  /** The home folder; the variable wins over the JVM's answer from the user database. */
  public @Nullable Path home() {
    String home = variable("HOME");
    if (home == null) {
      home = System.getProperty("user.home");
    }
    return home == null || home.isBlank() || home.equals("?") ? null : Path.of(home);
  }

  public Times times() {
    return new Times(clock);
  }
}
