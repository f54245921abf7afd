package dev.belay.domain.routing;

import java.util.List;

/**
 * A kind of work, and the pools that may run it.
 *
 * @param pools in no order of preference
 */
public record Topic(String name, List<String> pools) {
  public Topic {
    pools = List.copyOf(pools);
  }
}
