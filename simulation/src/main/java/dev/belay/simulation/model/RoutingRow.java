package dev.belay.simulation.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The row of the table routing_version, with the pools and the tenant that are declared.
 *
 * @param poolSlots of the pools that have a limit
 * @param maxRunning of the only tenant; null means no limit
 */
record RoutingRow(long version, Map<String, Integer> poolSlots, @Nullable Integer maxRunning) {
  RoutingRow {
    poolSlots = Map.copyOf(poolSlots);
  }

  static final RoutingRow NOTHING = new RoutingRow(1, Map.of(), null);
}
