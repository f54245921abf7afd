package dev.belay.server.health;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The health of a replica, in the format of {@code /monitor/health}. */
public record HealthReport(
    Status status,
    String replica,
    Scheduler scheduler,
    Database database,
    Leader leader,
    Map<String, LoopHealth> loops) {

  public enum Status {
    HEALTHY("healthy"),
    UNHEALTHY("unhealthy");

    private final String word;

    Status(String word) {
      this.word = word;
    }

    static Status of(boolean well) {
      return well ? HEALTHY : UNHEALTHY;
    }

    @JsonValue
    public String word() {
      return word;
    }
  }

  /**
   * @param role leader or follower
   * @param lastTickMsAgo time since this leader's last tick without a failed phase; null on a
   *     follower
   */
  public record Scheduler(Status status, String role, @Nullable Long lastTickMsAgo) {}

  /**
   * @param reason why it is unusable; null when it is usable
   */
  public record Database(Status status, long lastOkMsAgo, @Nullable String reason) {}

  /**
   * @param isLeader whether this replica leads
   * @param name the leader, as far as this replica knows
   */
  public record Leader(boolean isLeader, @Nullable String name, @Nullable Long epoch) {}

  /**
   * @param sinceMs since the current step began or the last one ended
   */
  public record LoopHealth(
      Status status, boolean alive, boolean stepping, long sinceMs, int restarts) {}
}
