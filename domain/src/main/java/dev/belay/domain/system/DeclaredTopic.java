package dev.belay.domain.system;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A kind of work, and the pools that may do it.
 *
 * @param pools at least one; their order has no meaning
 */
public record DeclaredTopic(String name, @Nullable String description, SortedSet<String> pools) {

  public static final int POOLS_MAX = 100;

  public DeclaredTopic {
    pools = Collections.unmodifiableSortedSet(new TreeSet<>(pools));
  }
}
