package dev.belay.simulation.model;

import dev.belay.domain.run.RunState;
import dev.belay.domain.trigger.Verdict;
import dev.belay.engine.port.ChainKey;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table chain_fire.
 *
 * @param verdict null while it is pending
 */
record ChainFireRow(
    ChainKey key,
    UUID version,
    RunState state,
    Instant logicalDate,
    int depth,
    Instant endedAt,
    @Nullable Verdict verdict) {

  ChainFireRow decided(Verdict as) {
    return new ChainFireRow(key, version, state, logicalDate, depth, endedAt, as);
  }
}
