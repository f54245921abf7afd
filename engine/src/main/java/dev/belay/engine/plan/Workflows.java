package dev.belay.engine.plan;

import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.plan.Graph;
import dev.belay.domain.spec.SpecCache;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.engine.port.PlanReads;
import java.util.function.Function;

/** Workflow versions, each read and ordered once. Bounded; for the planning thread only. */
public final class Workflows {

  /** Three of the largest accepted workflows; a small part of the heap. */
  private static final long CACHED_CHARS_MAX = 64_000_000;

  private final PlanReads store;
  private final Function<String, WorkflowSpec> decode;
  private final SpecCache<WorkflowId, Graph> cached;

  public Workflows(PlanReads store, Function<String, WorkflowSpec> decode, int cachedMax) {
    this.store = store;
    this.decode = decode;
    this.cached = new SpecCache<>(cachedMax, CACHED_CHARS_MAX);
  }

  /** A RuntimeException comes from the store and leaves open whether the workflow is a graph. */
  Graph graph(WorkflowId workflow) throws Graph.NotAGraph {
    Graph known = cached.get(workflow);
    if (known != null) {
      return known;
    }
    String spec = store.readSpec(workflow);
    Graph graph = Graph.of(decoded(spec));
    cached.put(workflow, graph, spec.length());
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
