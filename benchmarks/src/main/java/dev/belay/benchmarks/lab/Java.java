package dev.belay.benchmarks.lab;

import dev.belay.cli.Main;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts the processes of a benchmark: with the java of this one and equal options. */
public final class Java {

  /** For each measured JVM, as the launcher gives the server. */
  private static final List<String> OPTIONS =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "-Xmx512m",
          "-XX:+UseG1GC",
          "-XX:+ExitOnOutOfMemoryError");

  private Java() {}

  public static String tool(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }

  public static List<String> options() {
    return OPTIONS;
  }

  /**
   * @param more additional JVM options
   */
  public static List<String> command(
      String classpath, List<String> more, Class<?> main, List<String> arguments) {
    var command = new ArrayList<String>();
    command.add(tool("java"));
    command.addAll(OPTIONS);
    command.addAll(more);
    command.addAll(List.of("-cp", classpath, main.getName()));
    command.addAll(arguments);
    return command;
  }

  /** The classpath of this process, including the peers' jars. */
  public static String ownClasspath() {
    return System.getProperty("java.class.path");
  }

  /** The product's classpath: the folder of its jars; tests have none. */
  public static String productClasspath() {
    try {
      var jar = Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return Files.isRegularFile(jar) ? jar.resolveSibling("*").toString() : ownClasspath();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
