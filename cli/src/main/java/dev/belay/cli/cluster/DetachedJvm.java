package dev.belay.cli.cluster;

import dev.belay.cli.client.OsProcess;
import dev.belay.cli.terminal.CommandContext;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts more JVMs of this program, as the launcher would, each in its own session. */
final class DetachedJvm {

  /** The JVM options of a cluster member; several members share a small machine. */
  enum Kind {
    POSTGRES("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1 -Xmx64m"),
    SERVER("-XX:+UseG1GC", "-Xmx512m -XX:+ExitOnOutOfMemoryError"),
    AGENT("-XX:+UseSerialGC", "-Xmx256m -XX:+ExitOnOutOfMemoryError");

    private final String collector;
    private final String options;

    Kind(String collector, String options) {
      this.collector = collector;
      this.options = options;
    }
  }

  /**
   * Locks the launcher's copy of the jars, as the launcher does, so no build removes them while the
   * process lives; then becomes the command.
   */
  private static final String HOLD_AND_EXEC =
      "if [ -n \"$1\" ] && command -v flock >/dev/null 2>&1;"
          + " then exec 8<\"$1\" && flock -s -n 8; fi; shift; exec \"$@\"";

  private final CommandContext surroundings;

  DetachedJvm(CommandContext surroundings) {
    this.surroundings = surroundings;
  }

  /** Returns the JVM's pid: every program before it becomes the next one. */
  OsProcess start(Kind kind, List<String> arguments, Path output) throws IOException {
    var words = new ArrayList<>(ownSession());
    words.addAll(List.of("sh", "-c", HOLD_AND_EXEC, "belay", held()));
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(options(kind));
    words.addAll(List.of("-cp", classPath(), "dev.belay.cli.Main"));
    words.addAll(arguments);
    var builder =
        new ProcessBuilder(words)
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().putAll(surroundings.env());
    return OsProcess.of(builder.start().toHandle(), surroundings.clock());
  }

  private static List<String> ownSession() {
    return System.getProperty("os.name").equals("Linux")
        ? List.of("setsid")
        : List.of("perl", "-e", "use POSIX; POSIX::setsid(); exec @ARGV");
  }

  private List<String> options(Kind kind) {
    var options = new ArrayList<String>();
    options.add("--enable-native-access=ALL-UNNAMED");
    options.add("--sun-misc-unsafe-memory-access=allow");
    for (String given : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (given.startsWith("-XX:AOTCache=") || given.startsWith("-Xlog:aot")) {
        options.add(given);
      }
    }
    options.addAll(words(kind.options));
    var more = kind == Kind.POSTGRES ? List.<String>of() : more();
    if (more.stream().noneMatch(option -> option.matches("-XX:\\+Use\\w*GC"))) {
      options.add(kind.collector);
    }
    options.addAll(more);
    return options;
  }

  private List<String> more() {
    String more = surroundings.variable("BELAY_JAVA_OPTS");
    return more == null ? List.of() : words(more);
  }

  private static List<String> words(String text) {
    return List.of(text.strip().split("\\s+"));
  }

  /** The launcher's copy in short form; anything else unchanged. */
  private static String classPath() {
    return held().isEmpty() ? classPathHere() : firstJar().resolveSibling("*").toString();
  }

  /** The file that the launcher locks while a copy of the jars is in use, or an empty text. */
  private static String held() {
    var lib = firstJar().getParent();
    if (lib == null || lib.getFileName() == null || !lib.getFileName().toString().equals("lib")) {
      return "";
    }
    var file = lib.resolveSibling("ok");
    return Files.exists(file) ? file.toString() : "";
  }

  private static Path firstJar() {
    return Path.of(classPathHere().split(File.pathSeparator, -1)[0]).toAbsolutePath();
  }

  private static String classPathHere() {
    return System.getProperty("java.class.path", "");
  }
}
