package dev.belay.fuzz.tested;

import dev.belay.embedded.EmbeddedPostgres;
import dev.belay.embedded.EmbeddedPostgresFailed;
import dev.belay.embedded.EmbeddedSettings;
import dev.belay.fuzz.tested.TestedServer.DatabaseAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A real server process with a small heap, on its own PostgreSQL. */
public final class ServerProcess implements AutoCloseable {

  /** The server's memory limit. */
  public static final String HEAP_OPTION = "-Xmx256m";

  private static final String HOOK = "fuzzed";
  private static final String HOOK_TOKEN = "the-token-of-a-webhook-that-only-this-fuzzer-knows";
  private static final Duration START_MAX = Duration.ofMinutes(3);
  private static final Pattern URL = Pattern.compile("http://[0-9.]+:[0-9]+");

  private final Path folder;
  private final Product product;
  private final EmbeddedPostgres postgres;
  private final Child server;
  private final TestedServer target;

  private ServerProcess(
      Path folder, Product product, EmbeddedPostgres postgres, Child server, TestedServer target) {
    this.folder = folder;
    this.product = product;
    this.postgres = postgres;
    this.server = server;
    this.target = target;
  }

  /**
   * @param folder new and empty
   * @param binaries the unpacked PostgreSQL, shared by all
   */
  public static ServerProcess start(
      Path folder, Path binaries, Product product, SecureRandom random, LongSupplier nanos)
      throws IOException, InterruptedException, EmbeddedPostgresFailed {
    if (EmbeddedPostgres.needsOtherUser()) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    }
    var postgres =
        EmbeddedPostgres.start(
            EmbeddedSettings.ephemeral(folder.resolve("postgres"), binaries), random, nanos);
    try {
      var database = new DatabaseAddress(postgres.jdbcUrl(), postgres.user(), postgres.password());
      return start(folder, product, postgres, database);
    } catch (IOException | InterruptedException | RuntimeException e) {
      postgres.close();
      throw e;
    }
  }

  private static ServerProcess start(
      Path folder, Product product, EmbeddedPostgres postgres, DatabaseAddress database)
      throws IOException, InterruptedException {
    Path password = secret(folder.resolve("password"), database.password());
    Path hooks = Files.createDirectory(folder.resolve("hooks"));
    secret(hooks.resolve(HOOK + ".token"), HOOK_TOKEN);
    Path data = folder.resolve("server");
    var options = List.of(HEAP_OPTION, "-XX:+UseG1GC");
    var command =
        product.command(
            options,
            List.of(
                "server",
                "--database-url",
                database.url(),
                "--user",
                database.user(),
                "--password-file",
                password.toString(),
                "--port",
                "0",
                "--dir",
                data.toString(),
                "--dead-letter-failed",
                "--hook-dir",
                hooks.toString()));
    var server =
        Child.start(
            "server", folder, command, product.environment(options, folder.resolve("home")));
    try {
      long pid = Long.parseLong(server.line(START_MAX));
      URI url = url(server);
      var target =
          new TestedServer(
              new InetSocketAddress(url.getHost(), url.getPort()),
              Files.readString(data.resolve("token")).strip(),
              Files.readString(data.resolve("join-token")).strip(),
              HOOK + "/" + HOOK_TOKEN,
              pid,
              data.resolve("belay.log"),
              database);
      return new ServerProcess(folder, product, postgres, server, target);
    } catch (IOException | InterruptedException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private static Path secret(Path file, String text) throws IOException {
    Files.writeString(file, text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  private static URI url(Child server) throws IOException, InterruptedException {
    while (true) {
      Matcher url = URL.matcher(server.line(START_MAX));
      if (url.find()) {
        return URI.create(url.group());
      }
    }
  }

  public TestedServer target() {
    return target;
  }

  /** A worker as users start it; close ends it. */
  public AutoCloseable agent(String name) throws IOException, InterruptedException {
    var options = List.of("-Xmx128m");
    var command =
        product.command(
            options,
            List.of(
                "agent",
                "--server",
                "http://" + target.host(),
                "--join-token-file",
                folder.resolve("server").resolve("join-token").toString(),
                "--name",
                name,
                "--slots",
                "16",
                "--dir",
                folder.resolve(name).toString()));
    var agent =
        Child.start(name, folder, command, product.environment(options, folder.resolve("home")));
    agent.line(START_MAX);
    return agent;
  }

  public boolean isAlive() {
    return ProcessHandle.of(target.pid()).map(ProcessHandle::isAlive).orElse(false);
  }

  @Override
  public void close() {
    server.close();
    postgres.close();
  }
}
