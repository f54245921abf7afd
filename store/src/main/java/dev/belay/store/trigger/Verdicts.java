package dev.belay.store.trigger;

import dev.belay.domain.id.RunId;
import dev.belay.domain.trigger.Verdict;
import dev.belay.store.Unnest;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** Binds verdicts as the columns outcome, reason and run_id. */
final class Verdicts {

  /** A reason may quote a user's values. */
  private static final int REASON_CHARS_MAX = 1_000;

  private Verdicts() {}

  static <S extends SqlStatement<S>, T> void bind(
      S statement, List<T> rows, Function<T, Verdict> verdict) {
    Unnest.bind(statement, "outcomes", String.class, rows, row -> verdict.apply(row).outcome());
    Unnest.bind(statement, "reasons", String.class, rows, row -> reason(verdict.apply(row)));
    Unnest.bind(statement, "runs", UUID.class, rows, row -> run(verdict.apply(row)));
  }

  private static @Nullable String reason(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Skipped(var reason) -> storable(reason);
      case Verdict.Failed(var reason) -> storable(reason);
      case Verdict.Fired _, Verdict.Coalesced _, Verdict.Waiting _, Verdict.Filtered _ -> null;
    };
  }

  private static String storable(String reason) {
    String text = reason.replace("\0", "");
    return text.length() <= REASON_CHARS_MAX ? text : text.substring(0, REASON_CHARS_MAX) + "...";
  }

  private static @Nullable UUID run(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Fired(RunId run) -> run.value();
      case Verdict.Coalesced(RunId run) -> run.value();
      case Verdict.Skipped _, Verdict.Failed _, Verdict.Waiting _, Verdict.Filtered _ -> null;
    };
  }
}
