package dev.belay.engine.port;

import dev.belay.protocol.agent.v1.Hello;
import dev.belay.session.gateway.Registration;

/** Hears of every hello that was not taken. Called by any thread; may block, never throws. */
public interface RefusedHellos {

  /** For whoever does not look. */
  RefusedHellos NONE = (hello, refused, address) -> {};

  /**
   * @param hello not to be believed: the worker id may be one of somebody else, and no UUID
   * @param address where it came from
   */
  void refused(Hello hello, Registration.Refused refused, String address);
}
