package dev.belay.server.health;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How a replica does, in the words of {@code /monitor/health}. */
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
   * @param lastTickMsAgo since a tick of this leader ended in which no phase failed; null on a
   *     follower
   */
  public record Scheduler(Status status, String role, @Nullable Long lastTickMsAgo) {}

  /**
   * @param reason why it cannot be used; null when it can
   */
  public record Database(Status status, long lastOkMsAgo, @Nullable String reason) {}

  /**
   * @param isLeader whether this replica leads
   * @param name who leads, as far as this replica knows
   */
  public record Leader(boolean isLeader, @Nullable String name, @Nullable Long epoch) {}

  /**
   * @param sinceMs since the step that runs began, or the last one ended
   */
  public record LoopHealth(
      Status status, boolean alive, boolean stepping, long sinceMs, int restarts) {}
}
