package dev.belay.engine.port;

import dev.belay.domain.id.WorkerId;
import dev.belay.session.gateway.Registration;
import java.util.Optional;

/** Hears of every hello that was not taken. Called by any thread; may block, never throws. */
public interface RefusedHellos {

  /** For whoever does not look. */
  RefusedHellos NONE = (worker, refused, address) -> {};

  /**
   * @param worker empty when the hello names none
   * @param address where it came from
   */
  void refused(Optional<WorkerId> worker, Registration.Refused refused, String address);
}
