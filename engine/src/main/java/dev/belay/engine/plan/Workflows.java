package dev.belay.engine.plan;

import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.plan.Graph;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.engine.port.PlanStore;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** Workflow versions, read and ordered once each. Bounded; used by the planning thread only. */
public final class Workflows {

  private final PlanStore store;
  private final Function<String, WorkflowSpec> decode;
  private final Map<WorkflowId, Graph> cached;

  public Workflows(PlanStore store, Function<String, WorkflowSpec> decode, int cachedMax) {
    this.store = store;
    this.decode = decode;
    this.cached =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<WorkflowId, Graph> eldest) {
            return size() > cachedMax;
          }
        };
  }

  Graph graph(WorkflowId workflow) throws Graph.NotAGraph {
    Graph known = cached.get(workflow);
    if (known != null) {
      return known;
    }
    Graph graph = Graph.of(decode.apply(store.readSpec(workflow)));
    cached.put(workflow, graph);
    return graph;
  }
}
