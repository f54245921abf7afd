package dev.belay.domain.spec;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The work for a worker, with every expression resolved, and the rules for its outcome. Exactly one
 * of argv and script is set.
 */
public record Work(
    List<String> argv, @Nullable String script, Map<String, String> env, RunPolicy policy) {

  public Work {
    argv = List.copyOf(argv);
    env = Collections.unmodifiableMap(new LinkedHashMap<>(env));
    if (argv.isEmpty() == (script == null)) {
      throw new IllegalArgumentException("exactly one of argv and script must be set");
    }
  }
}
