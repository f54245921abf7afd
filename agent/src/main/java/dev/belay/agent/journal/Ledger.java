package dev.belay.agent.journal;

import dev.belay.agent.journal.Recovered.Died;
import dev.belay.agent.journal.Recovered.Dispatched;
import dev.belay.agent.journal.Recovered.Over;
import dev.belay.agent.journal.Recovered.Phase;
import dev.belay.agent.journal.Recovered.Preparing;
import dev.belay.domain.id.DispatchId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;

/** The sum of the entries: what a compacted journal has to keep. Not safe for use by threads. */
final class Ledger {

  private final int settledMax;
  private final Map<DispatchId, Dispatched> unsettled = new LinkedHashMap<>();
  private final SequencedSet<DispatchId> settled = new LinkedHashSet<>();

  Ledger(int settledMax) {
    this.settledMax = settledMax;
  }

  Ledger(int settledMax, Recovered recovered) {
    this(settledMax);
    recovered.settled().forEach(dispatch -> add(new Entry.Settled(dispatch)));
    recovered.unsettled().forEach(held -> unsettled.put(held.dispatch(), held));
  }

  void add(Entry entry) {
    switch (entry) {
      case Entry.Prepared prepared ->
          unsettled.putIfAbsent(
              prepared.dispatch(),
              new Dispatched(prepared.dispatch(), Optional.of(prepared.task()), new Preparing()));
      case Entry.Started started ->
          advance(started.dispatch(), new Died(started.at(), started.pid()));
      case Entry.Ended ended -> advance(ended.dispatch(), new Over(ended.finished()));
      case Entry.Settled done -> {
        unsettled.remove(done.dispatch());
        settled.addLast(done.dispatch());
        if (settled.size() > settledMax) {
          settled.removeFirst();
        }
      }
    }
  }

  boolean mayStart(DispatchId dispatch) {
    Dispatched held = unsettled.get(dispatch);
    return !settled.contains(dispatch) && (held == null || held.phase() instanceof Preparing);
  }

  List<Dispatched> unsettled() {
    return List.copyOf(unsettled.values());
  }

  SequencedSet<DispatchId> settled() {
    return new LinkedHashSet<>(settled);
  }

  /** The fewest entries that come to this sum, in order. */
  List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    settled.forEach(dispatch -> entries.add(new Entry.Settled(dispatch)));
    for (Dispatched held : unsettled.values()) {
      held.task().ifPresent(task -> entries.add(new Entry.Prepared(held.dispatch(), task)));
      switch (held.phase()) {
        case Preparing ignored -> {}
        case Died died ->
            entries.add(new Entry.Started(held.dispatch(), died.startedAt(), died.pid()));
        case Over over -> entries.add(new Entry.Ended(held.dispatch(), over.finished()));
      }
    }
    return entries;
  }

  private void advance(DispatchId dispatch, Phase phase) {
    Dispatched before = unsettled.get(dispatch);
    unsettled.put(
        dispatch,
        new Dispatched(dispatch, before == null ? Optional.empty() : before.task(), phase));
  }
}
