package dev.belay.store.reap;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.engine.port.ReapReads;
import dev.belay.store.Sql;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** The reaper's reads, on PostgreSQL. */
public final class PostgresReap implements ReapReads {

  private static final UUID FIRST = new UUID(0, 0);

  private final Jdbi jdbi;
  private final ReapSettings settings;
  private final LivenessReads signs;

  public PostgresReap(Jdbi jdbi, ReapSettings settings) {
    this.jdbi = jdbi;
    this.settings = settings;
    this.signs = new LivenessReads(settings);
  }

  @Override
  public Survey survey() {
    return jdbi.withHandle(signs::survey);
  }

  @Override
  public Set<Due> readDue() {
    Set<Due> due = EnumSet.noneOf(Due.class);
    jdbi.useHandle(
        handle ->
            handle
                .createQuery(Sql.named("reap/look_due"))
                .bind("pending_seconds", seconds(settings.waits().pending()))
                .map(
                    (row, context) -> {
                      for (Due each : Due.values()) {
                        if (row.getBoolean(each.name())) {
                          due.add(each);
                        }
                      }
                      return due;
                    })
                .one());
    return due;
  }

  @Override
  public List<ActiveTask> readActive(
      Collection<WorkerId> workers, @Nullable TaskId after, int max, Survey survey) {
    UUID from = after == null ? FIRST : after.value();
    return jdbi.withHandle(handle -> signs.readActive(handle, workers, from, max, survey));
  }

  @Override
  public List<Orphan> readOrphans(@Nullable RunId after, int max) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("reap/read_orphans"))
                .bind("after", after == null ? FIRST : after.value())
                .bind("orphan_seconds", seconds(settings.waits().orphan()))
                .bind("fails_seconds", seconds(settings.waits().orphanFails()))
                .bind("max", max)
                .map(
                    (row, context) ->
                        new Orphan(
                            new RunId(row.getObject("id", UUID.class)),
                            row.getBoolean("replanned")))
                .list());
  }

  static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }
}
