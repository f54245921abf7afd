package dev.belay.store.intake;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jdbi.v3.core.Jdbi;

/**
 * Tenants whose last submit here was refused because too many of their tasks wait. A refused submit
 * is rolled back, and a count of its tenant with it. So the next submit counts first, in a
 * transaction of its own, unless somebody did within the last second: submits that are refused find
 * that count, however many there are at once. Thread-safe.
 */
final class FullTenants {

  private final Jdbi jdbi;
  private final Set<String> full = ConcurrentHashMap.newKeySet();

  FullTenants(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** Outside the transaction of a submit of these tenants. */
  void count(Set<String> tenants) {
    if (full.isEmpty()) {
      return;
    }
    var counted = new TreeSet<>(tenants);
    counted.retainAll(full);
    for (String tenant : counted) {
      jdbi.useTransaction(handle -> new IntakeLimits(handle).recount(tenant));
      full.remove(tenant);
    }
  }

  void refused(TenantLimit limit) {
    if (limit.isFull()) {
      full.add(limit.tenant());
    }
  }
}
