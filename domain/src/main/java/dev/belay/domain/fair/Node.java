package dev.belay.domain.fair;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A part of those who wait: a priority, a group, a tenant, a workflow or a task queue. Its children
 * go in the order of their pass, which only tenants have, and then of their turn.
 */
final class Node {

  /** Passes of tenants that left. More than these are forgotten. */
  private static final int AHEAD_MAX = 10_000;

  private static final Comparator<Node> ORDER =
      Comparator.<Node>comparingDouble(node -> node.pass).thenComparingLong(node -> node.turn);

  final String name;
  final @Nullable Node parent;
  private final Map<String, Node> children = new HashMap<>();
  private final NavigableSet<Node> ready = new TreeSet<>(ORDER);

  /** Of tenants that left: what they took beyond the virtual time. */
  private final Map<String, Double> ahead = new HashMap<>();

  /** The pass of the child that last took something; a child that comes starts there. */
  private double virtualTime;

  private double pass;
  private long turn;

  /** Nothing below may be chosen. */
  private boolean closed;

  Node(String name, @Nullable Node parent, long turn) {
    this.name = name;
    this.parent = parent;
    this.turn = turn;
  }

  /** A new child goes behind the others, but a tenant starts at the virtual time. */
  Node child(String childName, long newTurn) {
    return children.computeIfAbsent(
        childName,
        any -> {
          Node child = new Node(childName, this, newTurn);
          Double left = ahead.remove(childName);
          child.pass = left == null ? virtualTime : Math.max(left, virtualTime);
          return child;
        });
  }

  boolean isReady() {
    return parent != null && parent.ready.contains(this);
  }

  boolean hasReady() {
    return !ready.isEmpty();
  }

  boolean isEmpty() {
    return children.isEmpty();
  }

  /** The first leaf in order. */
  Node first() {
    Node node = this;
    while (node.hasReady()) {
      node = node.ready.first();
    }
    return node;
  }

  /** May be chosen, and with it all above. */
  void offer() {
    if (parent != null && !closed && !isReady()) {
      pass = Math.max(pass, parent.virtualTime);
      parent.ready.add(this);
      parent.offer();
    }
  }

  /** May not be chosen; those above neither if nothing else is below them. */
  void withhold() {
    if (parent != null && parent.ready.remove(this) && !parent.hasReady()) {
      parent.withhold();
    }
  }

  /** Until it is opened, nothing below may be chosen, though it may be offered. */
  void close() {
    closed = true;
    withhold();
  }

  void open() {
    closed = false;
    if (hasReady()) {
      offer();
    }
  }

  @Nullable Node find(String childName) {
    return children.get(childName);
  }

  Collection<Node> children() {
    return children.values();
  }

  void remove() {
    withhold();
    if (parent != null) {
      parent.children.remove(name);
      parent.remember(this);
      if (parent.isEmpty()) {
        parent.remove();
      }
    }
  }

  private void remember(Node child) {
    if (child.pass > virtualTime) {
      ahead.put(child.name, child.pass);
      if (ahead.size() > AHEAD_MAX) {
        ahead.values().removeIf(left -> left <= virtualTime);
      }
      if (ahead.size() > AHEAD_MAX) {
        ahead.clear();
      }
    }
  }

  /**
   * It had its turn.
   *
   * @param stride how far its pass moves; 0 means that only turns count
   */
  void took(long newTurn, double stride) {
    if (parent != null) {
      if (stride > 0) {
        parent.virtualTime = Math.max(parent.virtualTime, pass);
      }
      move(pass + stride, newTurn);
    }
  }

  Saved save() {
    return new Saved(this, pass, turn, parent == null ? 0 : parent.virtualTime);
  }

  private void move(double newPass, long newTurn) {
    boolean wasReady = parent != null && parent.ready.remove(this);
    pass = newPass;
    turn = newTurn;
    if (parent != null && wasReady) {
      parent.ready.add(this);
    }
  }

  /** Where a node was before it took something. */
  record Saved(Node node, double pass, long turn, double virtualTime) {
    void restore() {
      node.move(pass, turn);
      if (node.parent != null) {
        node.parent.virtualTime = virtualTime;
      }
    }
  }
}
