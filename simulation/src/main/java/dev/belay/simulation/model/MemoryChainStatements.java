package dev.belay.simulation.model;

import dev.belay.engine.port.ChainKey;
import dev.belay.engine.statement.ChainStatements;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Decisions about ends of runs, by rows. */
record MemoryChainStatements(Tables tables, Session session) implements ChainStatements {

  @Override
  public Set<ChainKey> lockPending(Collection<ChainKey> keys) {
    return session.statement(
        statement -> {
          var locked = new TreeSet<ChainKey>();
          for (ChainKey key : new TreeSet<>(keys)) {
            statement
                .lock(tables.chainFire, key, row -> row.verdict() == null)
                .ifPresent(row -> locked.add(key));
          }
          return locked;
        });
  }

  @Override
  public int decide(List<Decided> decided) {
    var sorted = new ArrayList<>(decided);
    sorted.sort(Comparator.comparing(Decided::key));
    return session.statement(
        statement -> {
          int count = 0;
          for (Decided one : sorted) {
            count +=
                statement.replace(
                        tables.chainFire,
                        one.key(),
                        row -> row.verdict() == null,
                        row -> row.decided(one.verdict()))
                    ? 1
                    : 0;
          }
          return count;
        });
  }
}
