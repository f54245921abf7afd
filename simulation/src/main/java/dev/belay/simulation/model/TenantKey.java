package dev.belay.simulation.model;

import dev.belay.domain.limit.Limits.OfTenant;
import java.util.Comparator;

/** The primary key of the table rate_bucket. */
record TenantKey(String tenant, String key) implements Comparable<TenantKey> {

  private static final Comparator<TenantKey> ORDER =
      Comparator.comparing(TenantKey::tenant).thenComparing(TenantKey::key);

  static TenantKey of(OfTenant name) {
    return new TenantKey(name.tenant(), name.name());
  }

  @Override
  public int compareTo(TenantKey other) {
    return ORDER.compare(this, other);
  }
}
