package dev.belay.benchmarks.lab;

import dev.belay.cli.Main;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How the processes of a benchmark are started: the same java as this one, with equal options. */
public final class Java {

  /** Given to each JVM that is measured: the server's in the launcher. */
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
   * @param more further options of the JVM
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

  /** Everything that this process has, the peers' jars included. */
  public static String ownClasspath() {
    return System.getProperty("java.class.path");
  }

  /** Only what the product has: the folder of its jars; in a test there is none. */
  public static String productClasspath() {
    try {
      var jar = Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return Files.isRegularFile(jar) ? jar.resolveSibling("*").toString() : ownClasspath();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
