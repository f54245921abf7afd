package dev.belay.engine.dispatch;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.WorkerId;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.dispatch.DispatchPhase.Parts;
import dev.belay.engine.loop.FailureLog;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.DispatchStore.Claim;
import dev.belay.engine.port.DispatchStore.Target;
import dev.belay.engine.port.Epoch;
import dev.belay.session.gateway.MailboxEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The claims of a round. The tick's thread offers them; the pool's threads commit them, deliver
 * what was claimed, and tell the roster what became of the rest.
 */
final class Claims {

  private static final Logger log = LoggerFactory.getLogger(Claims.class);

  /** Fewer claims are not divided among threads: each transaction costs as much as many rows. */
  private static final int BATCH_MIN = 500;

  private static final Comparator<Assigned> BY_WORKER =
      Comparator.comparing(each -> each.to().worker());

  private final Parts parts;
  private final DispatchPool pool;
  private final int claimMax;
  private final int threads;
  private final Supplier<Instant> sureTime;
  private final FailureLog trouble = new FailureLog(log, "claim failed, the next tick tries again");

  Claims(Parts parts, DispatchPool pool, EngineSettings settings, Supplier<Instant> sureTime) {
    this.parts = parts;
    this.pool = pool;
    this.claimMax = settings.claimMax();
    this.threads = settings.dispatchThreads();
    this.sureTime = sureTime;
  }

  record Assigned(Target to, Claim claim) {}

  /**
   * @return how many of them the pool took: the first ones
   */
  int offer(Epoch epoch, List<Assigned> all) {
    int size = Math.min(claimMax, Math.max(BATCH_MIN, Math.ceilDiv(all.size(), threads)));
    // Then batches that run at once lock few workers in common. Else the first tasks go first.
    boolean isTaken = Math.ceilDiv(all.size(), size) <= pool.room();
    return offer(epoch, isTaken ? all.stream().sorted(BY_WORKER).toList() : all, size);
  }

  private int offer(Epoch epoch, List<Assigned> all, int size) {
    int offered = 0;
    for (int from = 0; from < all.size(); from += size) {
      List<Assigned> batch = all.subList(from, Math.min(all.size(), from + size));
      boolean taken = false;
      try {
        taken = offerBatch(epoch, batch);
      } finally {
        if (!taken) {
          notClaimed(all.subList(from, all.size()));
        }
      }
      if (!taken) {
        return offered;
      }
      offered += batch.size();
    }
    return offered;
  }

  /** Nobody decides these claims. */
  void notClaimed(List<Assigned> assigned) {
    giveBack(dispatches(assigned));
  }

  private void giveBack(Collection<DispatchId> dispatches) {
    parts.rates().giveBack(dispatches);
    parts.roster().over(dispatches);
  }

  private static List<DispatchId> dispatches(List<Assigned> assigned) {
    return assigned.stream().map(each -> each.claim().dispatch()).toList();
  }

  private boolean offerBatch(Epoch epoch, List<Assigned> batch) {
    Map<Target, List<Claim>> claims = new LinkedHashMap<>();
    for (Assigned each : batch) {
      claims.computeIfAbsent(each.to(), any -> new ArrayList<>()).add(each.claim());
    }
    List<DispatchId> dispatches = dispatches(batch);
    return pool.offer(
        batch.stream().map(each -> each.claim().task()).toList(),
        () -> claim(epoch, claims, dispatches));
  }

  private boolean claim(Epoch epoch, Map<Target, List<Claim>> claims, List<DispatchId> dispatches) {
    Roster roster = parts.roster();
    boolean isAnswered = false;
    try {
      Map<WorkerId, List<MailboxEntry>> claimed =
          parts.store().claim(epoch, claims, sureTime.get());
      isAnswered = true;
      trouble.over();
      Set<DispatchId> missing = new HashSet<>(dispatches);
      claimed.values().forEach(own -> own.forEach(entry -> missing.remove(entry.id())));
      if (!missing.isEmpty()) {
        giveBack(missing);
        roster.distrust();
      }
      claimed.forEach(
          (worker, entries) -> {
            if (!parts.deliveries().deliver(worker, entries)) {
              parts.hints().mailbox(worker);
            }
          });
      return !claimed.isEmpty();
    } catch (Deposed deposed) {
      log.atInfo().addKeyValue("epoch", epoch.value()).log("claim refused, another leads");
      isAnswered = true;
      giveBack(dispatches);
      return false;
    } catch (RuntimeException failed) {
      // The commit may have succeeded, or may yet. The mailbox comes from the database, so a
      // committed claim is delivered anyway and any other task is still SCHEDULED.
      trouble.met(
          failed,
          event ->
              event.addKeyValue("workers", claims.size()).addKeyValue("tasks", dispatches.size()));
      claims.keySet().forEach(to -> parts.hints().mailbox(to.worker()));
      return false;
    } finally {
      if (isAnswered) {
        roster.decided(dispatches);
      } else {
        roster.unanswered(dispatches);
      }
      parts.rates().decided(dispatches);
    }
  }
}
