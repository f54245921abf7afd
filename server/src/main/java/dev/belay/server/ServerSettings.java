package dev.belay.server;

import dev.belay.domain.reap.Promises;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.settings.DatabaseGroup;
import dev.belay.settings.ProcessKind;
import dev.belay.settings.ServerGroup;
import dev.belay.settings.Settings;
import dev.belay.settings.WorkerGroup;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The settings of one server replica, with the facts that its process finds before the start.
 *
 * @param values of a server or of lite
 * @param replica the name of this replica
 */
public record ServerSettings(Settings values, String replica, Database database, Files files) {

  /**
   * @param apiToken holds the API token; created with mode 0600 when missing
   * @param joinToken holds the workers' token; created likewise
   * @param logFolder holds task logs
   */
  public record Files(Path apiToken, Path joinToken, Path logFolder) {

    /** All files in one folder. */
    public static Files in(Path folder) {
      return new Files(
          folder.resolve("token"), folder.resolve("join-token"), folder.resolve("logs"));
    }
  }

  /** The address of PostgreSQL. */
  public record Database(String jdbcUrl, String user, String password) {
    @Override
    public String toString() {
      return "Database[" + jdbcUrl + ", user=" + user + "]";
    }
  }

  /** LITE or PRO: the same code with different defaults. */
  public String edition() {
    return values.process() == ProcessKind.LITE ? "lite" : "pro";
  }

  public String host() {
    return values.of(ServerGroup.HOST);
  }

  /** 0 takes a free port. */
  public int port() {
    return values.of(ServerGroup.PORT);
  }

  /** Names accepted in the Host header besides localhost and loopback addresses. */
  public List<String> allowedHosts() {
    return values.of(ServerGroup.ALLOWED_HOST);
  }

  public int engineConnections() {
    return values.of(DatabaseGroup.ENGINE_CONNECTIONS);
  }

  public int apiConnections() {
    return values.of(DatabaseGroup.DATABASE_CONNECTIONS) - engineConnections();
  }

  /** How soon Belay detects each kind of stall under these settings. */
  public Promises promises() {
    ReapSettings reap = EngineParts.reap(values);
    return new Promises(
        reap.liveness().closed(),
        longer(reap.liveness().silent(), reap.grace().dispatch()),
        reap.liveness().dispatchLost(),
        reap.grace().dispatch(),
        values.of(WorkerGroup.HEARTBEAT),
        reap.waits().pending(),
        reap.waits().orphan());
  }

  /** An attempt that began just before its worker fell silent also gets its dispatch grace. */
  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
