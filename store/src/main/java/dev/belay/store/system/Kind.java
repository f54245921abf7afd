package dev.belay.store.system;

import dev.belay.domain.system.DeclaredPool;
import dev.belay.domain.system.DeclaredTopic;
import dev.belay.domain.system.Tenant;
import dev.belay.domain.system.Tenant.SubmitRate;
import dev.belay.store.Unnest;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/**
 * A kind of thing that can be declared, with its statements.
 *
 * @param word as in the names of its statements, and for people
 * @param columns binds the columns that only this kind has
 */
public record Kind<T>(String word, Function<T, String> name, BiConsumer<Update, List<T>> columns) {

  public static final Kind<DeclaredPool> POOL =
      new Kind<>("pool", DeclaredPool::name, Kind::poolColumns);
  public static final Kind<DeclaredTopic> TOPIC =
      new Kind<>("topic", DeclaredTopic::name, Kind::topicColumns);
  public static final Kind<Tenant> TENANT = new Kind<>("tenant", Tenant::name, Kind::tenantColumns);

  String findOwner() {
    return "system/find_" + word + "_owner";
  }

  String write() {
    return "system/write_" + word + "s";
  }

  String delete() {
    return "system/delete_" + word;
  }

  String deleteOthers() {
    return "system/delete_other_" + word + "s";
  }

  private static void poolColumns(Update update, List<DeclaredPool> pools) {
    Unnest.bind(update, "descriptions", String.class, pools, DeclaredPool::description);
    Unnest.bind(update, "states", String.class, pools, pool -> pool.state().name());
    Unnest.bind(update, "slots", Integer.class, pools, DeclaredPool::slots);
    Unnest.bind(
        update, "capabilities", String.class, pools, pool -> String.join(",", pool.capabilities()));
    Unnest.bind(update, "strategies", String.class, pools, pool -> pool.strategy().name());
  }

  private static void topicColumns(Update update, List<DeclaredTopic> topics) {
    Unnest.bind(update, "descriptions", String.class, topics, DeclaredTopic::description);
    Unnest.bind(update, "pools", String.class, topics, topic -> String.join(",", topic.pools()));
  }

  private static void tenantColumns(Update update, List<Tenant> tenants) {
    Unnest.bind(update, "descriptions", String.class, tenants, Tenant::description);
    Unnest.bind(update, "weights", Integer.class, tenants, Tenant::weight);
    Unnest.bind(update, "max_runnings", Integer.class, tenants, Tenant::maxRunning);
    Unnest.bind(update, "max_waitings", Integer.class, tenants, Tenant::maxWaiting);
    Unnest.bind(
        update, "submit_maxes", Integer.class, tenants, tenant -> rate(tenant, rate -> rate.max()));
    Unnest.bind(
        update,
        "submit_per_ms",
        Long.class,
        tenants,
        tenant -> rate(tenant, rate -> rate.per().toMillis()));
  }

  private static @Nullable Object rate(Tenant tenant, Function<SubmitRate, Object> column) {
    SubmitRate rate = tenant.submitRate();
    return rate == null ? null : column.apply(rate);
  }
}
