package dev.belay.engine.port;

import dev.belay.domain.id.WorkerId;
import dev.belay.session.gateway.Registration;
import java.util.Optional;

/** Receives every refused hello. Called by any thread; may block, never throws. */
public interface RefusedHellos {

  /** Ignores refusals. */
  RefusedHellos NONE = (worker, refused, address) -> {};

  /**
   * @param worker empty when the hello has no valid id
   * @param address where it came from
   */
  void refused(Optional<WorkerId> worker, Registration.Refused refused, String address);
}
