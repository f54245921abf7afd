package dev.belay.embedded.testing;

import dev.belay.embedded.EmbeddedPostgres;
import dev.belay.embedded.EmbeddedPostgresFailed;
import dev.belay.embedded.EmbeddedSettings;
import dev.belay.embedded.SupervisedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One PostgreSQL server for the tests of a JVM, and a new empty database for each caller.
 *
 * <p>An ephemeral embedded server that starts when first needed and ends with the JVM. To test
 * against another server, set {@code BELAY_TEST_POSTGRES_URL} to its JDBC URL with user and
 * password of a user that may create databases ({@code
 * jdbc:postgresql://host/postgres?user=...&password=...}); its test databases stay there.
 */
public final class TestPostgres {
  private static final AtomicInteger databases = new AtomicInteger();
  private static @Nullable DatabaseAddress server;

  private TestPostgres() {}

  /** A server with real randomness and time. */
  public static EmbeddedPostgres start(EmbeddedSettings settings) throws EmbeddedPostgresFailed {
    return EmbeddedPostgres.start(settings, new SecureRandom(), System::nanoTime);
  }

  /** A server that restarts whenever it ends unexpectedly. */
  public static SupervisedPostgres keep(
      EmbeddedSettings settings, Consumer<EmbeddedPostgres> onStart) throws EmbeddedPostgresFailed {
    return SupervisedPostgres.start(settings, new SecureRandom(), System::nanoTime, onStart);
  }

  public static DatabaseAddress freshDatabase() {
    DatabaseAddress from = server();
    String name =
        "test_%d_%d_%d"
            .formatted(
                ProcessHandle.current().pid(), System.nanoTime(), databases.incrementAndGet());
    try (Connection connection =
            DriverManager.getConnection(from.jdbcUrl(), from.user(), from.password());
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name);
    } catch (SQLException failed) {
      throw new IllegalStateException("no test database on " + from, failed);
    }
    return new DatabaseAddress(inDatabase(from.jdbcUrl(), name), from.user(), from.password());
  }

  private static String inDatabase(String jdbcUrl, String name) {
    return jdbcUrl.replaceFirst("^(jdbc:postgresql://[^/]+/)[^?]*", "$1" + name);
  }

  private static synchronized DatabaseAddress server() {
    if (server == null) {
      String external = System.getenv("BELAY_TEST_POSTGRES_URL");
      server = external == null || external.isBlank() ? embedded() : external(external);
    }
    return server;
  }

  private static DatabaseAddress external(String url) {
    if (!url.startsWith("jdbc:postgresql://")) {
      throw new IllegalStateException("BELAY_TEST_POSTGRES_URL is no PostgreSQL JDBC URL");
    }
    return new DatabaseAddress(
        url.replaceAll("(?<=[?&])(user|password)=[^&]*&?", "").replaceAll("[?&]$", ""),
        parameter(url, "user"),
        parameter(url, "password"));
  }

  private static String parameter(String url, String name) {
    Matcher found = Pattern.compile("[?&]" + name + "=([^&]*)").matcher(url);
    return found.find() ? URLDecoder.decode(found.group(1), StandardCharsets.UTF_8) : "";
  }

  private static DatabaseAddress embedded() {
    try {
      Path data = Files.createTempDirectory("belay-test-postgres-");
      EmbeddedPostgres running =
          TestPostgres.start(EmbeddedSettings.ephemeral(data, binariesFolder()));
      // Never closed: the watchdog ends the server and deletes its folder when this JVM ends.
      return new DatabaseAddress(running.jdbcUrl(), running.user(), running.password());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (EmbeddedPostgresFailed failed) {
      throw new IllegalStateException(failed.getMessage(), failed);
    }
  }

  /**
   * Unpacked binaries, shared by the test JVMs of one user. Others can also create names in the
   * temporary folder, so it trusts only a folder that no other user can write.
   */
  public static Path binariesFolder() {
    String user = System.getProperty("user.name").toLowerCase(Locale.ROOT);
    Path folder =
        Path.of(System.getProperty("java.io.tmpdir"))
            .resolve("belay-test-binaries-" + user.replaceAll("[^a-z0-9_-]", "_"));
    try {
      var permissions = PosixFilePermissions.fromString("rwxr-xr-x");
      try {
        Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(permissions));
      } catch (FileAlreadyExistsException shared) {
        return ours(folder) ? folder : Files.createTempDirectory("belay-test-binaries-");
      }
      return folder;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static boolean ours(Path folder) throws IOException {
    Path probe = Files.createTempFile("belay-owner", null);
    try {
      var attributes =
          Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return attributes.isDirectory()
          && attributes.owner().equals(Files.getOwner(probe))
          && !attributes.permissions().contains(PosixFilePermission.GROUP_WRITE)
          && !attributes.permissions().contains(PosixFilePermission.OTHERS_WRITE);
    } finally {
      Files.delete(probe);
    }
  }
}
