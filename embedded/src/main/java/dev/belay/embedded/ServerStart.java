package dev.belay.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The steps from settings to a ready server. The JVM may die after each: see the package. */
final class ServerStart {
  private static final Logger log = LoggerFactory.getLogger(ServerStart.class);
  private static final Duration LOOK_EVERY = Duration.ofMillis(10);
  private static final int FREE_PORTS_TRIED_MAX = 3;

  /** The line of postmaster.pid that shows the server's progress. */
  private static final int STATUS_LINE = 7;

  private final EmbeddedSettings settings;
  private final SecureRandom random;
  private final LongSupplier ticker;
  private final long begin;

  ServerStart(EmbeddedSettings settings, SecureRandom random, LongSupplier ticker) {
    this.settings = settings;
    this.random = random;
    this.ticker = ticker;
    this.begin = ticker.getAsLong();
  }

  EmbeddedPostgres run() throws EmbeddedPostgresFailed {
    ServerBinaries binaries = ServerBinaries.unpacked(settings.binariesFolder());
    long unpacked = ticker.getAsLong();
    DataFolder folder = DataFolder.open(settings);
    EmbeddedPostgres server = null;
    try {
      server = serve(folder, binaries, unpacked, null);
      return server;
    } finally {
      if (server == null) {
        leave(folder, settings);
      }
    }
  }

  /** Starts a server after one died, in the same folder, which stays locked. */
  EmbeddedPostgres again(DataFolder folder, Watchdog ended, String password)
      throws EmbeddedPostgresFailed {
    if (!folder.hasData()) {
      throw new EmbeddedPostgresFailed("The database in " + folder.root() + " is gone.");
    }
    ServerBinaries binaries = ServerBinaries.unpacked(settings.binariesFolder());
    try {
      end(ended);
    } catch (InterruptedException interrupted) {
      throw interrupted(interrupted);
    }
    return serve(folder, binaries, ticker.getAsLong(), password);
  }

  /**
   * @param known the password of an existing database; null creates missing files
   */
  private EmbeddedPostgres serve(
      DataFolder folder, ServerBinaries binaries, long unpacked, @Nullable String known)
      throws EmbeddedPostgresFailed {
    try {
      Watchdog.awaitEarlier(folder, ticker);
      folder.write(folder.script(), Watchdog.script());
      RunAs runAs = RunAs.choose(folder.root(), binaries.postgres());
      String password = known == null ? makeCluster(folder, binaries, runAs) : known;
      long made = ticker.getAsLong();
      var server = serve(new Watchdog.Job(folder, folder.cluster(), binaries, runAs), password);
      log.atInfo()
          .addKeyValue("folder", folder.root())
          .addKeyValue("port", server.port())
          .addKeyValue("pid", server.pid())
          .addKeyValue("unpackMs", millis(begin, unpacked))
          .addKeyValue("createMs", millis(unpacked, made))
          .addKeyValue("startMs", millis(made, ticker.getAsLong()))
          .log("PostgreSQL started");
      return server;
    } catch (IOException failed) {
      throw new EmbeddedPostgresFailed(
          "PostgreSQL could not be started in " + folder.root() + ": " + failed, failed);
    } catch (InterruptedException interrupted) {
      throw interrupted(interrupted);
    }
  }

  private static EmbeddedPostgresFailed interrupted(InterruptedException interrupted) {
    Thread.currentThread().interrupt();
    return new EmbeddedPostgresFailed("The start of PostgreSQL was interrupted.", interrupted);
  }

  private static long millis(long from, long to) {
    return Duration.ofNanos(to - from).toMillis();
  }

  private String makeCluster(DataFolder folder, ServerBinaries binaries, RunAs runAs)
      throws IOException, InterruptedException, EmbeddedPostgresFailed {
    if (Files.exists(folder.cluster())) {
      folder.checkVersion();
    } else if (settings.ephemeral() && Files.isReadable(binaries.template().resolve("password"))) {
      Files.copy(binaries.template().resolve("password"), folder.password());
      Trees.copy(binaries.template().resolve("data"), folder.cluster());
    } else {
      initialize(folder, binaries, runAs);
    }
    return folder.password(random);
  }

  private void initialize(DataFolder folder, ServerBinaries binaries, RunAs runAs)
      throws IOException, InterruptedException, EmbeddedPostgresFailed {
    Path cluster = folder.unfinishedCluster();
    Trees.delete(cluster);
    folder.password(random);
    folder.give(runAs);
    ServerLog serverLog = new ServerLog(folder.log(), settings.logBytesMax());
    long position = serverLog.size();
    Watchdog initdb =
        new Watchdog.Job(folder, cluster, binaries, runAs)
            .start(settings.ephemeral(), initdbCommand(folder, binaries));
    boolean ended = initdb.awaitExit(settings.startTimeout());
    if (!ended || initdb.exitStatus() != 0) {
      String what = ended ? "failed with status " + initdb.exitStatus() : "did not end in time";
      var said = new PostgresOutput(serverLog.tail(position));
      end(initdb);
      throw new EmbeddedPostgresFailed(
          "The database in %s could not be created: %s (initdb %s). %s says more."
              .formatted(folder.root(), said.briefly(), what, folder.log()),
          said);
    }
    Watchdog.awaitEarlier(folder, ticker);
    folder.adopt(cluster);
    if (settings.ephemeral()) {
      keepAsTemplate(folder, binaries);
    }
  }

  private List<String> initdbCommand(DataFolder folder, ServerBinaries binaries) {
    List<String> durable =
        List.of(
            binaries.initdb().toString(),
            "--pgdata=" + folder.unfinishedCluster(),
            "--username=" + EmbeddedPostgres.USER,
            "--pwfile=" + folder.password(),
            "--auth=scram-sha-256",
            "--locale=C",
            "--encoding=UTF8",
            "--no-instructions");
    List<String> quick = List.of("--no-sync", "--no-data-checksums", "--wal-segsize=4");
    return settings.ephemeral() ? RunAs.joined(durable, quick) : durable;
  }

  /** Only saves time: failing to write another user's binaries folder is harmless. */
  private static void keepAsTemplate(DataFolder folder, ServerBinaries binaries) {
    try {
      binaries.keepAsTemplate(folder.cluster(), folder.password());
    } catch (IOException noTemplate) {
      log.atDebug().setCause(noTemplate).log("no template for ephemeral servers");
    }
  }

  private EmbeddedPostgres serve(Watchdog.Job job, String password)
      throws IOException, InterruptedException, EmbeddedPostgresFailed {
    for (int attempt = 1; ; attempt++) {
      int port = settings.port() == 0 ? freePort() : settings.port();
      try {
        return serve(job, new EmbeddedPostgres.Address(port, password));
      } catch (PortTaken taken) {
        if (settings.port() != 0 || attempt == FREE_PORTS_TRIED_MAX) {
          throw taken.failure;
        }
      }
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private EmbeddedPostgres serve(Watchdog.Job job, EmbeddedPostgres.Address address)
      throws IOException, InterruptedException, EmbeddedPostgresFailed, PortTaken {
    DataFolder folder = job.folder();
    folder.write(folder.config(), ServerConfig.render(settings, address.port()));
    ServerLog serverLog = new ServerLog(folder.log(), settings.logBytesMax());
    serverLog.trim();
    folder.give(job.runAs());
    long position = serverLog.size();
    List<String> command =
        List.of(
            job.binaries().postgres().toString(),
            "-D",
            folder.cluster().toString(),
            "--config-file=" + folder.config(),
            "--hba-file=" + folder.cluster().resolve("pg_hba.conf"),
            "--ident-file=" + folder.cluster().resolve("pg_ident.conf"));
    Watchdog watchdog = job.start(settings.ephemeral(), command);
    boolean ready = false;
    try {
      String pid = watchdog.childPid();
      ProcessHandle server = awaitReady(watchdog, folder, pid);
      if (server != null) {
        connect(address);
        ready = true;
        return new EmbeddedPostgres(settings, folder, watchdog, server, address, ticker);
      }
      throw failure(watchdog, address, serverLog.tail(position));
    } finally {
      if (!ready) {
        end(watchdog);
        Watchdog.awaitEarlier(folder, ticker);
      }
    }
  }

  /** The server's process once it accepts connections; null when it ended or is too slow. */
  private @Nullable ProcessHandle awaitReady(Watchdog watchdog, DataFolder folder, String pid)
      throws IOException, InterruptedException {
    Path file = folder.cluster().resolve("postmaster.pid");
    long start = ticker.getAsLong();
    while (ticker.getAsLong() - start < settings.startTimeout().toNanos()) {
      if (Files.exists(file)) {
        List<String> lines = linesOf(file);
        if (lines.size() > STATUS_LINE
            && lines.getFirst().equals(pid)
            && lines.get(STATUS_LINE).strip().equals("ready")) {
          return ProcessHandle.of(Long.parseLong(pid)).orElse(null);
        }
      }
      if (watchdog.awaitExit(LOOK_EVERY)) {
        return null;
      }
    }
    return null;
  }

  private static List<String> linesOf(Path file) throws IOException {
    try {
      return Files.readAllLines(file);
    } catch (NoSuchFileException removedJustNow) {
      return List.of();
    }
  }

  /** SCRAM authenticates both sides: our own server answers on this port. */
  private static void connect(EmbeddedPostgres.Address address) throws EmbeddedPostgresFailed {
    Properties properties = new Properties();
    properties.setProperty("user", EmbeddedPostgres.USER);
    properties.setProperty("password", address.password());
    properties.setProperty("connectTimeout", "10");
    properties.setProperty("socketTimeout", "10");
    try (Connection connection = DriverManager.getConnection(address.jdbcUrl(), properties)) {
      connection.isValid(10);
    } catch (SQLException refused) {
      throw new EmbeddedPostgresFailed(
          "PostgreSQL started on port "
              + address.port()
              + " but does not let us in: "
              + refused.getMessage(),
          refused);
    }
  }

  private EmbeddedPostgresFailed failure(
      Watchdog watchdog, EmbeddedPostgres.Address address, String tail) throws PortTaken {
    String what =
        watchdog.isAlive()
            ? "was not ready after " + settings.startTimeout().toSeconds() + " s"
            : "ended with status " + watchdog.exitStatus();
    var said = new PostgresOutput(tail);
    EmbeddedPostgresFailed failure =
        new EmbeddedPostgresFailed(
            "PostgreSQL in %s on port %d %s: %s. %s says more."
                .formatted(
                    settings.dataFolder(),
                    address.port(),
                    what,
                    said.briefly(),
                    settings.dataFolder().resolve("server.log")),
            said);
    if (tail.contains("could not create any TCP/IP sockets")) {
      throw new PortTaken(
          new EmbeddedPostgresFailed(
              "Port " + address.port() + " on 127.0.0.1 is in use. Choose another.", said));
    }
    return failure;
  }

  private static final class PortTaken extends Exception {
    private final EmbeddedPostgresFailed failure;

    PortTaken(EmbeddedPostgresFailed failure) {
      super(failure);
      this.failure = failure;
    }
  }

  private static void end(Watchdog watchdog) throws InterruptedException {
    watchdog.cutOff();
    if (!watchdog.awaitExit(Watchdog.END_MAX)) {
      watchdog.kill();
    }
  }

  /** The only way to end a running server: cut it off, wait, release the folder. */
  static void end(
      Watchdog watchdog, DataFolder folder, EmbeddedSettings settings, LongSupplier ticker)
      throws InterruptedException {
    try {
      end(watchdog);
      Watchdog.awaitEarlier(folder, ticker);
    } catch (EmbeddedPostgresFailed stubborn) {
      log.atError().setCause(stubborn).log("PostgreSQL's watchdog does not end");
    } finally {
      leave(folder, settings);
    }
  }

  private static void leave(DataFolder folder, EmbeddedSettings settings) {
    try (folder) {
      if (settings.ephemeral()) {
        folder.delete();
      }
    } catch (IOException failed) {
      log.atWarn().addKeyValue("folder", folder.root()).setCause(failed).log("folder not left");
    }
  }
}
