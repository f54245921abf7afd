package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.embedded.testing.TestPostgres;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The command line of a JVM that runs {@code belay}. All such JVMs of a test run share an archive
 * of loaded classes, which halves the cost of a start. The JVM takes only jars into an archive, so
 * the folder of the test classes is left out.
 */
final class BelayJvm {

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

  /** The archive, made by the first test that starts a JVM: a changed jar needs another one. */
  private static final class Archive {

    static final List<String> OPTIONS = make();

    private static List<String> make() {
      try {
        var file = testClasses().resolveSibling("classes.jsa");
        Files.deleteIfExists(file);
        var home = Files.createTempDirectory("belay");
        var workflow =
            Files.writeString(
                home.resolve("any.yaml"),
                """
                name: any
                tasks:
                  - name: one
                    command: [/bin/echo, hello]
                    when: "${{ 1 < 2 }}"
                """);
        var binaries =
            Files.createSymbolicLink(
                home.resolve("postgres-binaries"), TestPostgres.binariesFolder());
        var run =
            new ProcessBuilder(
                command(
                    List.of("-XX:ArchiveClassesAtExit=" + file, "-Xlog:cds=off"),
                    "-Xmx256m",
                    "run",
                    workflow.toString()));
        run.environment().keySet().removeIf(name -> name.startsWith("BELAY_"));
        run.environment().put("BELAY_HOME", home.toString());
        var process = run.redirectErrorStream(true).start();
        var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isZero();
        Files.delete(binaries);
        delete(home);
        return List.of("-XX:SharedArchiveFile=" + file, "-Xlog:cds=off");
      } catch (IOException | InterruptedException | URISyntaxException e) {
        throw new AssertionError(e);
      }
    }

    private static Path testClasses() throws URISyntaxException {
      return Path.of(BelayJvm.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static void delete(Path folder) throws IOException {
      try (var files = Files.walk(folder)) {
        for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }
}
