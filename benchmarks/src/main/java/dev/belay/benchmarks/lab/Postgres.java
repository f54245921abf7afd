package dev.belay.benchmarks.lab;

import dev.belay.embedded.EmbeddedPostgres;
import dev.belay.embedded.EmbeddedPostgresFailed;
import dev.belay.embedded.EmbeddedSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The only PostgreSQL server of a benchmark, with a database for each system. */
public final class Postgres implements AutoCloseable {

  private static final int CONNECTIONS_MAX = 250;

  /** Settings that decide the speed of durable writes, read back from the server. */
  private static final List<String> SHOWN =
      List.of(
          "server_version",
          "fsync",
          "synchronous_commit",
          "full_page_writes",
          "wal_level",
          "shared_buffers",
          "max_wal_size");

  private final Address server;
  private final @Nullable EmbeddedPostgres embedded;
  private final Map<String, Address> databases = new LinkedHashMap<>();

  private Postgres(Address server, @Nullable EmbeddedPostgres embedded) {
    this.server = server;
    this.embedded = embedded;
  }

  /** Like lite's, but with more connections: JobRunr and Quartz need one per thread. */
  public static Postgres embedded(Path folder)
      throws IOException, InterruptedException, EmbeddedPostgresFailed {
    if (EmbeddedPostgres.needsOtherUser()) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    }
    var usual = EmbeddedSettings.persistent(folder.resolve("postgres"), folder.resolve("binaries"));
    var settings =
        new EmbeddedSettings(
            usual.dataFolder(),
            usual.binariesFolder(),
            usual.port(),
            usual.ephemeral(),
            CONNECTIONS_MAX,
            usual.sharedBuffersMegabytes(),
            usual.startTimeout(),
            usual.stopTimeout(),
            usual.logBytesMax());
    var started = EmbeddedPostgres.start(settings, new SecureRandom(), System::nanoTime);
    return new Postgres(
        new Address(started.jdbcUrl(), started.user(), started.password()), started);
  }

  public static Postgres given(Address server) {
    return new Postgres(server, null);
  }

  /** A new, empty database. */
  public Address create(String name) throws SQLException {
    String full = "belay_bench_" + name;
    server.execute("DROP DATABASE IF EXISTS " + full + " WITH (FORCE)");
    server.execute("CREATE DATABASE " + full);
    var address = server.database(full);
    databases.put(full, address);
    return address;
  }

  public Map<String, String> settings() throws SQLException {
    var settings = new LinkedHashMap<String, String>();
    try (var connection = server.connect();
        var statement = connection.createStatement()) {
      for (String name : SHOWN) {
        try (var rows = statement.executeQuery("SHOW " + name)) {
          rows.next();
          settings.put(name, rows.getString(1));
        }
      }
    }
    return settings;
  }

  /** Its first process; empty for a server that was not started here. */
  public OptionalLong pid() {
    return embedded == null ? OptionalLong.empty() : OptionalLong.of(embedded.pid());
  }

  /** WAL written since the server was created. */
  public double walBytes() throws SQLException {
    return server.number("SELECT pg_current_wal_insert_lsn() - '0/0'");
  }

  /** Call between two measurements, so no system pays for another's leftovers. */
  public void settle() throws SQLException {
    for (var database : databases.values()) {
      database.execute("VACUUM (ANALYZE)");
    }
    server.execute("CHECKPOINT");
  }

  @Override
  public void close() throws SQLException {
    if (embedded != null) {
      embedded.close();
      return;
    }
    for (String name : new ArrayList<>(databases.keySet())) {
      server.execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
    }
  }
}
