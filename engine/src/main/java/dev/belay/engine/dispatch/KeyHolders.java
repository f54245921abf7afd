package dev.belay.engine.dispatch;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.limit.Limits.OfTenant;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.queue.TaskQueue.Concurrency;
import dev.belay.engine.dispatch.Roster.Taken;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Who holds a concurrency key.
 *
 * @param queues of their tasks
 * @param decided those with a committed claim
 * @param underWay those whose claim is not decided yet
 */
record KeyHolders(Set<QueueId> queues, int decided, int underWay) {
  static final KeyHolders NONE = new KeyHolders(Set.of(), 0, 0);

  static Map<OfTenant, KeyHolders> of(
      Set<OfTenant> keys, Collection<Taken> held, Set<DispatchId> underWay) {
    Map<OfTenant, KeyHolders> holders = new HashMap<>();
    for (Taken each : held) {
      TaskQueue spec = each.queue();
      QueueId queue = each.held().queue();
      Concurrency rule = spec == null ? null : spec.concurrency();
      if (spec != null && queue != null && rule != null) {
        OfTenant key = new OfTenant(spec.tenant(), rule.key());
        if (keys.contains(key)) {
          boolean isUnderWay = underWay.contains(each.held().dispatch());
          holders.put(key, holders.getOrDefault(key, NONE).and(queue, isUnderWay));
        }
      }
    }
    return holders;
  }

  private KeyHolders and(QueueId queue, boolean isUnderWay) {
    Set<QueueId> more = new HashSet<>(queues);
    more.add(queue);
    return new KeyHolders(more, decided + (isUnderWay ? 0 : 1), underWay + (isUnderWay ? 1 : 0));
  }
}
