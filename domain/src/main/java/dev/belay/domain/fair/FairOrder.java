package dev.belay.domain.fair;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The task queues that wait, and which of them is next: the one with the highest priority; at equal
 * priority, the groups take turns, within a group tenants share by weight, then the workflows of a
 * tenant and then the task queues of a workflow take turns.
 *
 * <p>Tenants share by stride scheduling: what a tenant takes moves its pass by {@code slots /
 * weight}, and the smallest pass is next. A tenant that comes or returns starts at the virtual
 * time, so it neither saves up what it did not use, nor loses what it took in advance.
 *
 * <p>Each call costs the logarithm of the number of task queues. Not thread-safe.
 *
 * @param <Q> identifies a task queue
 */
public final class FairOrder<Q> {

  /** Their indexes in a path. */
  private static final int WORKFLOW = 1;

  private static final int TENANT = 2;
  private static final int GROUP = 3;

  /** Expired entries that are kept at least. */
  private static final int RISES_MIN = 1_000;

  private final Ageing ageing;
  private final TreeMap<Integer, Node> levels = new TreeMap<>();
  private final Map<Q, Place> places = new HashMap<>();
  private final Map<Node, Q> queues = new HashMap<>();
  private final Set<Q> held = new LinkedHashSet<>();
  private final PriorityQueue<Rise<Q>> rises = new PriorityQueue<>(Comparator.comparing(Rise::at));
  private final Set<Part> closed = new HashSet<>();
  private Map<String, Integer> weights = Map.of();
  private long turns;

  /** Where a task queue waits. */
  private record Place(Waiting waiting, int priority, Node leaf) {}

  /** Its priority rises, if it still waits at that place. */
  private record Rise<Q>(Instant at, Q queue, Place place) {}

  public FairOrder(Ageing ageing) {
    this.ageing = ageing;
  }

  /** The weights of tenants; 1 for others. They count from the next task on. */
  public void weigh(Map<String, Integer> byTenant) {
    byTenant.forEach(
        (tenant, weight) -> {
          if (weight < 1) {
            throw new IllegalArgumentException(
                "the weight of %s must be positive, not %d".formatted(tenant, weight));
          }
        });
    weights = Map.copyOf(byTenant);
  }

  /** A task waits in this task queue, which may be chosen, also if it was on hold. */
  public void offer(Q queue, Waiting waiting, Instant now) {
    held.remove(queue);
    put(queue, waiting, now).leaf().offer();
  }

  /** It may not be chosen until it is released or offered again. It keeps its turn. */
  public void hold(Q queue) {
    Place place = places.get(queue);
    if (place != null) {
      place.leaf().withhold();
      held.add(queue);
    }
  }

  /** It may be chosen again if it was on hold. */
  public void release(Q queue) {
    Place place = places.get(queue);
    if (place != null && held.remove(queue)) {
      place.leaf().offer();
    }
  }

  /** None of its task queues may be chosen until it is opened, whatever is offered meanwhile. */
  public void close(Part part) {
    if (closed.add(part)) {
      nodes(part).forEach(Node::close);
    }
  }

  public void open(Part part) {
    if (closed.remove(part)) {
      nodes(part).forEach(Node::open);
    }
  }

  private List<Node> nodes(Part part) {
    List<Node> nodes = new ArrayList<>();
    for (Node level : levels.values()) {
      switch (part) {
        case Part.OfGroup(var group) -> add(nodes, level.find(group));
        case Part.OfTenant(var tenant) ->
            level.children().forEach(group -> add(nodes, group.find(tenant)));
        case Part.OfWorkflow(var tenant, var workflow) ->
            level
                .children()
                .forEach(
                    group -> {
                      Node owner = group.find(tenant);
                      add(nodes, owner == null ? null : owner.find(workflow));
                    });
      }
    }
    return nodes;
  }

  private static void add(List<Node> nodes, @Nullable Node node) {
    if (node != null) {
      nodes.add(node);
    }
  }

  /** No task waits in it. */
  public void leave(Q queue) {
    Place place = places.remove(queue);
    held.remove(queue);
    if (place != null) {
      detach(place);
    }
  }

  /** The task queue whose first task is next; empty when none may be chosen. */
  public Optional<Q> next(Instant now) {
    age(now);
    for (Node level : levels.descendingMap().values()) {
      if (level.hasReady()) {
        return Optional.ofNullable(queues.get(level.first()));
      }
    }
    return Optional.empty();
  }

  /** A task of it takes slots. Offer its next task, or let it leave. */
  public void took(Q queue, int slots) {
    Place place = places.get(queue);
    if (place != null) {
      took(place, slots);
    }
  }

  /**
   * How many tasks of which task queues would be next if none of them ran out of tasks, in the
   * order of their first. So a caller reads no more tasks than it may need. Changes nothing.
   *
   * @param turn whether one more task could start beside those that it took
   * @param slots that a task takes
   */
  public Map<Q, Integer> plan(
      Function<Q, Turn> turn, ToIntFunction<Q> slots, int tasksMax, Instant now) {
    Map<Q, Integer> planned = new LinkedHashMap<>();
    ArrayDeque<Node.Saved> saved = new ArrayDeque<>();
    List<Node> leftOut = new ArrayList<>();
    int tasks = 0;
    for (Optional<Q> next = next(now); next.isPresent() && tasks < tasksMax; next = next(now)) {
      Q queue = next.get();
      Place place = Objects.requireNonNull(places.get(queue));
      List<Node> path = path(place.leaf());
      path.forEach(node -> saved.push(node.save()));
      int skipped =
          switch (turn.apply(queue)) {
            case TAKE -> -1;
            case SKIP_QUEUE -> 0;
            case SKIP_WORKFLOW -> WORKFLOW;
            case SKIP_TENANT -> TENANT;
            case SKIP_GROUP -> GROUP;
          };
      if (skipped < 0) {
        took(place, slots.applyAsInt(queue));
        planned.merge(queue, 1, Integer::sum);
        tasks++;
      } else {
        path.get(skipped).withhold();
        leftOut.add(path.get(skipped));
      }
    }
    leftOut.forEach(Node::offer);
    saved.forEach(Node.Saved::restore);
    return planned;
  }

  private void took(Place place, int slots) {
    double stride = slots / (double) weights.getOrDefault(place.waiting().tenant(), 1);
    List<Node> path = path(place.leaf());
    for (int i = 0; i < path.size(); i++) {
      path.get(i).took(++turns, i == TENANT ? stride : 0);
    }
  }

  /** Task queues that wait, also on hold. */
  public int size() {
    return places.size();
  }

  private Place put(Q queue, Waiting waiting, Instant now) {
    int priority = ageing.effective(waiting.priority(), waiting.since(), now);
    Place before = places.get(queue);
    Place place =
        before != null && isAt(before, waiting, priority)
            ? new Place(waiting, priority, before.leaf())
            : move(queue, before, waiting, priority);
    if (!place.equals(before)) {
      places.put(queue, place);
      ageing
          .risesAt(waiting.priority(), waiting.since(), now)
          .ifPresent(at -> rises.add(new Rise<>(at, queue, place)));
      if (rises.size() > RISES_MIN + 2 * places.size()) {
        rises.removeIf(rise -> !rise.place().equals(places.get(rise.queue())));
      }
    }
    return place;
  }

  private static String workflow(Waiting waiting) {
    String workflow = waiting.workflow();
    return workflow == null ? "" : workflow;
  }

  private static boolean isAt(Place place, Waiting waiting, int priority) {
    return place.priority() == priority
        && place.waiting().group().equals(waiting.group())
        && place.waiting().tenant().equals(waiting.tenant())
        && workflow(place.waiting()).equals(workflow(waiting));
  }

  private Place move(Q queue, @Nullable Place before, Waiting waiting, int priority) {
    if (before != null) {
      detach(before);
    }
    Node level = levels.computeIfAbsent(priority, any -> new Node("", null, 0));
    Node group = child(level, waiting.group(), new Part.OfGroup(waiting.group()));
    Node tenant = child(group, waiting.tenant(), new Part.OfTenant(waiting.tenant()));
    String name = workflow(waiting);
    Node workflow = child(tenant, name, new Part.OfWorkflow(waiting.tenant(), name));
    // The name of a leaf is its turn: it is new in any case.
    Node leaf = workflow.child(Long.toString(++turns), turns);
    queues.put(leaf, queue);
    return new Place(waiting, priority, leaf);
  }

  private Node child(Node parent, String name, Part part) {
    Node found = parent.find(name);
    if (found == null) {
      found = parent.child(name, ++turns);
      if (closed.contains(part)) {
        found.close();
      }
    }
    return found;
  }

  private void detach(Place place) {
    queues.remove(place.leaf());
    place.leaf().remove();
    Node level = levels.get(place.priority());
    if (level != null && level.isEmpty()) {
      levels.remove(place.priority());
    }
  }

  private void age(Instant now) {
    for (Rise<Q> rise = rises.peek();
        rise != null && !rise.at().isAfter(now);
        rise = rises.peek()) {
      rises.remove();
      // Another place is another first task, or one that rose already.
      if (rise.place().equals(places.get(rise.queue()))) {
        Place place = put(rise.queue(), rise.place().waiting(), now);
        if (!held.contains(rise.queue())) {
          place.leaf().offer();
        }
      }
    }
  }

  /** From the task queue up: its workflow, tenant and group. */
  private static List<Node> path(Node leaf) {
    List<Node> nodes = new ArrayList<>();
    for (Node node = leaf; node.parent != null; node = node.parent) {
      nodes.add(node);
    }
    return nodes;
  }
}
