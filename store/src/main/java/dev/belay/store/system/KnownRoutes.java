package dev.belay.store.system;

import dev.belay.domain.spec.TaskSpec;
import dev.belay.store.Sql;
import dev.belay.store.system.Declarations.OfFile;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The pools and topics that tasks may name, as they were at one moment.
 *
 * @param pools the declared ones, with their states as people write them
 * @param topics the declared ones, with their pools
 * @param served pools of known workers, also of workers that are away
 */
public record KnownRoutes(
    Map<String, String> pools, Map<String, Set<String>> topics, Set<String> served) {

  private static final String ACTIVE = "active";

  public KnownRoutes {
    pools = Map.copyOf(pools);
    topics = Map.copyOf(topics);
    served = Collections.unmodifiableSet(new HashSet<>(served));
  }

  /**
   * Where tasks want to run.
   *
   * @param topic null means the pool alone decides
   * @param pool null means any pool of the topic
   */
  public record Route(@Nullable String topic, @Nullable String pool) {}

  static KnownRoutes read(Handle handle) {
    Map<String, String> pools = new HashMap<>();
    Map<String, Set<String>> topics = new HashMap<>();
    Set<String> served = new HashSet<>();
    handle
        .createQuery(Sql.named("system/read_known"))
        .map(
            (row, context) -> {
              String name = row.getString("name");
              switch (row.getString("kind")) {
                case "topic" ->
                    topics.put(name, Set.of((String[]) row.getArray("pools").getArray()));
                case "pool" -> pools.put(name, row.getString("state"));
                default -> served.add(name);
              }
              return name;
            })
        .list();
    return new KnownRoutes(pools, topics, served);
  }

  /** With what a system file declares, before it is applied. */
  public static KnownRoutes read(Handle handle, @Nullable OfFile file) {
    KnownRoutes known = read(handle);
    return file == null ? known : known.with(file);
  }

  private KnownRoutes with(OfFile file) {
    Map<String, String> morePools = new HashMap<>(pools);
    file.pools()
        .forEach(pool -> morePools.put(pool.name(), pool.state().name().toLowerCase(Locale.ROOT)));
    Map<String, Set<String>> moreTopics = new HashMap<>(topics);
    file.topics().forEach(topic -> moreTopics.put(topic.name(), topic.pools()));
    return new KnownRoutes(morePools, moreTopics, served);
  }

  /** Why nobody takes such tasks; empty for the usual ones. */
  public Optional<String> warning(Route route) {
    String topic = route.topic();
    String pool = route.pool();
    if (topic == null) {
      return pool == null ? Optional.empty() : poolWarning(pool);
    }
    Set<String> ofTopic = topics.get(topic);
    if (ofTopic == null) {
      return Optional.of("no topic '%s' is declared, so no pool runs its tasks".formatted(topic));
    }
    if (pool != null && !ofTopic.contains(pool)) {
      return Optional.of("the pool '%s' is not one of the topic '%s'".formatted(pool, topic));
    }
    if (pool != null) {
      return poolWarning(pool);
    }
    return ofTopic.stream().anyMatch(each -> poolWarning(each).isEmpty())
        ? Optional.empty()
        : Optional.of("no worker serves a pool of the topic '%s'".formatted(topic));
  }

  private Optional<String> poolWarning(String pool) {
    String state = pools.get(pool);
    if (state != null && !state.equals(ACTIVE)) {
      return Optional.of("the pool '%s' is %s, so no task starts in it".formatted(pool, state));
    }
    return state != null || served.contains(pool) || pool.equals(TaskSpec.POOL_DEFAULT)
        ? Optional.empty()
        : Optional.of("no worker serves the pool '%s', and nothing declares it".formatted(pool));
  }
}
