package dev.belay.agent.process;

import dev.belay.session.agent.StallDetector;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Watches one process for signs of life, from its start to its end or stop.
 *
 * <p>The pump lets it look right after it has read all pipes. So output that came while the agent
 * was frozen counts, and output that the log cannot take counts, too.
 */
final class StallWatch implements OutputPump.Look {

  private final Duration limit;
  private final TaskProcesses owner;
  private final Runnable onStall;

  /** Null before the start: the latch waits without a limit. */
  private volatile @Nullable StallDetector detector;

  /**
   * @param onStall called on the pump thread; it ends the watch
   */
  StallWatch(Duration limit, TaskProcesses owner, Runnable onStall) {
    this.limit = limit;
    this.owner = owner;
    this.onStall = onStall;
  }

  void start() {
    detector = new StallDetector(limit, owner.nanos());
    owner.pump().watch(this);
  }

  void sign() {
    StallDetector started = detector;
    if (started != null) {
      started.sign();
    }
  }

  void end() {
    owner.pump().unwatch(this);
  }

  @Override
  public void look(long nowNanos) {
    StallDetector started = detector;
    if (started != null && started.isStalled(nowNanos)) {
      onStall.run();
    }
  }
}
