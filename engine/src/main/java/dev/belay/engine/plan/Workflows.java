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

  /** A RuntimeException is the store's: whether the workflow is a graph is then not known. */
  Graph graph(WorkflowId workflow) throws Graph.NotAGraph {
    Graph known = cached.get(workflow);
    if (known != null) {
      return known;
    }
    Graph graph = Graph.of(decoded(store.readSpec(workflow)));
    cached.put(workflow, graph);
    return graph;
  }

  private WorkflowSpec decoded(String spec) throws Graph.NotAGraph {
    try {
      return decode.apply(spec);
    } catch (RuntimeException unreadable) {
      throw new Graph.NotAGraph("the stored workflow cannot be read: " + unreadable.getMessage());
    }
  }
}
