package dev.belay.embedded;

import dev.belay.embedded.testing.TestPostgres;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Runs a server in a separate JVM, which a test can kill. Stops it when the input ends. */
final class ServerInChildJvm {
  private ServerInChildJvm() {}

  public static void main(String[] arguments) throws Exception {
    Path data = Path.of(arguments[0]);
    Path binaries = Path.of(arguments[1]);
    System.out.println("starting");
    EmbeddedSettings settings =
        arguments.length > 2
            ? EmbeddedSettings.ephemeral(data, binaries)
            : EmbeddedSettings.persistent(data, binaries);
    try (EmbeddedPostgres server = TestPostgres.start(settings)) {
      System.out.printf("ready %s %s %d%n", server.jdbcUrl(), server.password(), server.pid());
      new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (EmbeddedPostgresFailed refused) {
      System.out.println("refused " + String.valueOf(refused.getMessage()).replace('\n', ' '));
    }
  }
}
