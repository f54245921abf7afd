package dev.belay.store.lease;

import java.util.function.ToIntFunction;
import org.jdbi.v3.core.Handle;

/** Runs one batch of a job in a transaction of its own. */
@FunctionalInterface
public interface JobTransaction {
  int run(ToIntFunction<Handle> batch);
}
