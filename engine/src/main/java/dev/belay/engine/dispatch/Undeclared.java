package dev.belay.engine.dispatch;

import dev.belay.domain.limit.Limits;
import dev.belay.engine.port.RoutingReads;
import java.util.List;
import java.util.Map;

/**
 * Nobody declared anything: a pool is what its workers name, and only keys of tasks have limits.
 */
public final class Undeclared implements RoutingReads {

  @Override
  public long version() {
    return 0;
  }

  @Override
  public Declared declared() {
    return new Declared(0, List.of(), List.of(), Limits.NONE, Map.of());
  }
}
