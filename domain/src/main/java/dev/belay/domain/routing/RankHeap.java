package dev.belay.domain.routing;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A priority queue of ranks. Four children to a node, and what is compared lies in arrays: with
 * 10,000 workers, a heap of objects spends most of its time waiting for memory.
 */
final class RankHeap {

  private static final int CHILDREN = 4;

  private double[] keys = new double[16];
  private long[] turns = new long[16];
  private @Nullable Rank[] ranks = new Rank[16];
  private int size;

  int size() {
    return size;
  }

  void clear() {
    Arrays.fill(ranks, 0, size, null);
    size = 0;
  }

  @Nullable Rank peek() {
    return size == 0 ? null : ranks[0];
  }

  void add(Rank rank) {
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, 2 * size);
      turns = Arrays.copyOf(turns, 2 * size);
      ranks = Arrays.copyOf(ranks, 2 * size);
    }
    int at = size++;
    set(at, rank.key(), rank.turn(), rank);
    while (at > 0 && isBefore(at, (at - 1) / CHILDREN)) {
      swap(at, (at - 1) / CHILDREN);
      at = (at - 1) / CHILDREN;
    }
  }

  /** Removes the first one, if there is one. */
  void removeFirst() {
    if (size > 0) {
      size--;
      set(0, keys[size], turns[size], ranks[size]);
      ranks[size] = null;
      sink();
    }
  }

  private void sink() {
    int at = 0;
    for (int least = leastChild(at); least > 0 && isBefore(least, at); least = leastChild(at)) {
      swap(at, least);
      at = least;
    }
  }

  /** 0 without a child. */
  private int leastChild(int at) {
    int first = CHILDREN * at + 1;
    if (first >= size) {
      return 0;
    }
    int least = first;
    for (int child = first + 1; child < Math.min(first + CHILDREN, size); child++) {
      if (isBefore(child, least)) {
        least = child;
      }
    }
    return least;
  }

  private boolean isBefore(int one, int other) {
    if (keys[one] != keys[other]) {
      return keys[one] < keys[other];
    }
    if (turns[one] != turns[other]) {
      return turns[one] < turns[other];
    }
    Rank first = ranks[one];
    Rank second = ranks[other];
    return first != null && second != null && first.compareTo(second) < 0;
  }

  private void swap(int one, int other) {
    double key = keys[one];
    long turn = turns[one];
    Rank rank = ranks[one];
    set(one, keys[other], turns[other], ranks[other]);
    set(other, key, turn, rank);
  }

  private void set(int at, double key, long turn, @Nullable Rank rank) {
    keys[at] = key;
    turns[at] = turn;
    ranks[at] = rank;
  }
}
