package dev.belay.agent.link;

import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The load that heartbeats report. Reading it costs more than the rest of an idle agent, so it
 * reads only every few ticks. Only the timer thread calls it.
 */
final class CpuLoad {

  private static final Logger log = LoggerFactory.getLogger(CpuLoad.class);
  private static final int TICKS_PER_READING = 10;

  private final DoubleSupplier real;
  private long ticks;
  private double last;

  CpuLoad(DoubleSupplier real) {
    this.real = real;
  }

  /** Never throws: an exception would end the ticks, and the agent would fall silent. */
  double percent() {
    if (ticks++ % TICKS_PER_READING == 0) {
      try {
        last = real.getAsDouble();
      } catch (RuntimeException e) {
        log.atDebug().setCause(e).log("cpu load unknown");
        last = 0;
      }
    }
    return last;
  }
}
