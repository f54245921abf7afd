package dev.belay.fuzz.tested;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The `belay` under test: the jars of this process, or another checkout.
 *
 * @param checkout null: this one
 */
public record Product(@Nullable Path checkout) {

  private static final List<String> OPTIONS =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "-XX:+ExitOnOutOfMemoryError");

  /**
   * @param options additional JVM options
   */
  List<String> command(List<String> options, List<String> arguments) {
    var command = new ArrayList<String>();
    if (checkout != null) {
      command.add(checkout.resolve("belay").toAbsolutePath().toString());
    } else {
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(OPTIONS);
      command.addAll(options);
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.belay.cli.Main"));
    }
    command.addAll(arguments);
    return command;
  }

  /** The launcher reads JVM options from here. */
  Map<String, String> environment(List<String> options, Path home) {
    return Map.of(
        "BELAY_JAVA_OPTS",
        checkout == null ? "" : String.join(" ", options),
        "BELAY_HOME",
        home.toString(),
        "BELAY_AOT",
        "off");
  }

  /** Why it cannot be used; empty when it can. */
  public String fault() {
    return checkout == null || Files.isExecutable(checkout.resolve("belay"))
        ? ""
        : "There is no belay in " + checkout + ".";
  }
}
