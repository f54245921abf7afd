package dev.belay.engine.port;

import dev.belay.domain.limit.Limits;
import dev.belay.domain.routing.Pool;
import dev.belay.domain.routing.Topic;
import java.util.List;
import java.util.Map;

/**
 * What people declared about pools, topics, tenants and workflows. Each change raises the version
 * in its own transaction, so the leader reads the rest only when the version is another.
 */
public interface RoutingReads {

  long version();

  /** Everything, as it was at one moment. */
  Declared declared();

  /**
   * @param version at that moment
   * @param pools an undeclared one is {@link Pool#undeclared}
   * @param weights of the declared tenants; others have 1
   */
  record Declared(
      long version,
      List<Pool> pools,
      List<Topic> topics,
      Limits limits,
      Map<String, Integer> weights) {
    public Declared {
      pools = List.copyOf(pools);
      topics = List.copyOf(topics);
      weights = Map.copyOf(weights);
    }
  }
}
