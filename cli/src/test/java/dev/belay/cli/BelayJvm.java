package dev.belay.cli;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The command line of a JVM that runs {@code belay}. All such JVMs of a test run share an archive
 * of loaded classes, which halves the cost of a start. The JVM takes only jars into an archive, so
 * the folder of the test classes is left out.
 */
final class BelayJvm {

  private static final long PATIENCE_SECONDS = 120;

  private BelayJvm() {}

  static List<String> command(String memory, String... args) {
    return command(Archive.OPTIONS, memory, args);
  }

  private static List<String> command(List<String> archive, String memory, String... args) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            // A fifth of the cost of a start.
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-BytecodeVerificationRemote"));
    command.addAll(archive);
    command.addAll(List.of(memory, "-cp", jars(), Main.class.getName()));
    command.addAll(List.of(args));
    return command;
  }

  private static String jars() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> entry.endsWith(".jar"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** The archive, made by the first test that starts a JVM. */
  private static final class Archive {

    static final List<String> OPTIONS = make();

    private static List<String> make() {
      try {
        var file = builtJar().resolveSibling("classes.jsa");
        Files.deleteIfExists(file);
        var folder = Files.createTempDirectory("belay-archive");
        var workflow =
            Files.writeString(
                folder.resolve("any.yaml"),
                """
                name: any
                tasks:
                  - name: first
                    command: [/bin/echo, hello]
                  - name: second
                    when: "${{ 1 < 2 }}"
                    command: [/bin/echo, hello]
                    depends_on: [first]
                """);
        var run =
            new ProcessBuilder(
                    command(
                        List.of("-XX:ArchiveClassesAtExit=" + file, "-Xlog:cds=off"),
                        "-Xmx256m",
                        "run",
                        workflow.toString()))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out.txt").toFile());
        run.environment().keySet().removeIf(name -> name.startsWith("BELAY_"));
        run.environment().put("BELAY_HOME", folder.resolve("home").toString());
        var process = run.start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
          process.destroyForcibly();
          throw new AssertionError(Files.readString(folder.resolve("out.txt")));
        }
        return List.of("-XX:SharedArchiveFile=" + file, "-Xlog:cds=off");
      } catch (IOException | InterruptedException | URISyntaxException e) {
        throw new AssertionError(e);
      }
    }

    private static Path builtJar() throws URISyntaxException {
      return Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
  }
}
