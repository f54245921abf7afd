package dev.belay.engine.port;

import dev.belay.domain.system.Pool;
import dev.belay.domain.system.Tenant;
import dev.belay.domain.system.Topic;
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
   * @param tenants an undeclared one is {@link Tenant#undeclared}
   * @param maxTasks how many tasks of all runs of a workflow may hold a worker; others have no limit
   */
  record Declared(
      long version,
      List<Pool> pools,
      List<Topic> topics,
      List<Tenant> tenants,
      Map<Workflow, Integer> maxTasks) {
    public Declared {
      pools = List.copyOf(pools);
      topics = List.copyOf(topics);
      tenants = List.copyOf(tenants);
      maxTasks = Map.copyOf(maxTasks);
    }
  }
}
