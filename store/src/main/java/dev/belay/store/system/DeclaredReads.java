package dev.belay.store.system;

import dev.belay.store.Sql;
import dev.belay.store.read.Reads;
import dev.belay.store.system.Declared.Names;
import dev.belay.store.system.Declared.PoolView;
import dev.belay.store.system.Declared.TenantView;
import dev.belay.store.system.Declared.TopicView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;
import org.jspecify.annotations.Nullable;

/** Reads pools, topics and tenants for people. */
public final class DeclaredReads {

  private final Jdbi jdbi;

  public DeclaredReads(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * @param after only those whose names come later; null starts with the first
   */
  public Names<PoolView> pools(@Nullable String after, int limit) {
    return page("system/list_pools", PoolView.class, PoolView::name, after, limit);
  }

  public Optional<PoolView> pool(String name) {
    return named("system/list_pools", PoolView.class, name);
  }

  public Names<TopicView> topics(@Nullable String after, int limit) {
    return page("system/list_topics", TopicView.class, TopicView::name, after, limit);
  }

  public Optional<TopicView> topic(String name) {
    return named("system/list_topics", TopicView.class, name);
  }

  public Names<TenantView> tenants(@Nullable String after, int limit) {
    return page("system/list_tenants", TenantView.class, TenantView::name, after, limit);
  }

  public Optional<TenantView> tenant(String name) {
    return named("system/list_tenants", TenantView.class, name);
  }

  /** The pools and topics that tasks may name. */
  public KnownRoutes known() {
    return jdbi.withHandle(KnownRoutes::read);
  }

  private <T> Names<T> page(
      String statement,
      Class<T> type,
      Function<T, String> name,
      @Nullable String after,
      int limit) {
    Map<String, Object> given = new LinkedHashMap<>();
    if (after != null) {
      given.put("cursor", after);
    }
    given.put("limit", limit + 1);
    List<T> rows = list(statement, type, given);
    return rows.size() <= limit
        ? new Names<>(rows, null)
        : new Names<>(rows.subList(0, limit), name.apply(rows.get(limit - 1)));
  }

  private <T> Optional<T> named(String statement, Class<T> type, String name) {
    return list(statement, type, Map.of("name", name, "limit", 1)).stream().findFirst();
  }

  private <T> List<T> list(String statement, Class<T> type, Map<String, Object> given) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named(statement, given.keySet()))
                .bindMap(given)
                .setQueryTimeout(Reads.TIMEOUT_SECONDS)
                .map(ConstructorMapper.of(type))
                .list());
  }
}
