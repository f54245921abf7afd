package dev.belay.engine.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.limit.Limits.OfTenant;
import dev.belay.domain.queue.Placement;
import dev.belay.domain.queue.RateLimit;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.statement.AttemptKey;
import dev.belay.engine.statement.LimitStatements;
import dev.belay.engine.statement.LimitStatements.Hold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the leader withdraws, spends and gives back. */
class RateTokensTest {

  private static final Epoch EPOCH = new Epoch(1);
  private static final TaskQueue QUEUE = queue("pool", 10, Duration.ofSeconds(1));

  private final Bank bank = new Bank();
  private final RateTokens tokens = new RateTokens(new LimitsOnly(bank), () -> bank.nanos);
  private long next;

  private static TaskQueue queue(String pool, int max, Duration per) {
    return new TaskQueue(
        "default", null, Placement.inPool(pool), null, new RateLimit("api", max, per));
  }

  /** One round; returns what was spent. */
  private List<DispatchId> round(TaskQueue queue, int candidates) {
    tokens.begin(EPOCH);
    List<DispatchId> spent = new ArrayList<>();
    if (tokens.mayHave(queue) > 0) {
      tokens.withdraw(EPOCH, Map.of(queue, candidates));
    }
    while (spent.size() < candidates && tokens.has(queue) > 0) {
      var dispatch = new DispatchId(new UUID(1, next++));
      tokens.spend(queue, dispatch);
      spent.add(dispatch);
    }
    return spent;
  }

  private void pass(Duration time) {
    bank.nanos += time.toNanos();
  }

  @Test
  void a_look_withdraws_what_its_candidates_can_use_and_no_more() {
    assertThat(round(QUEUE, 3)).hasSize(3);
    assertThat(bank.level).isEqualTo(7);
    assertThat(tokens.nextDue()).as("the bucket has more").isEmpty();
  }

  @Test
  void an_empty_bucket_is_asked_again_when_it_has_a_token_and_not_before() {
    tokens.decided(round(QUEUE, 50));
    assertThat(tokens.nextDue()).contains(Duration.ofMillis(100));
    pass(Duration.ofMillis(99));
    assertThat(round(QUEUE, 50)).isEmpty();
    assertThat(bank.withdrawals).isEqualTo(1);
    pass(Duration.ofMillis(1));
    assertThat(round(QUEUE, 50)).hasSize(1);
  }

  @Test
  void a_fast_bucket_is_asked_seldom_and_loses_nothing() {
    TaskQueue fast = queue("pool", 1_000, Duration.ofSeconds(1));
    int started = 0;
    for (long until = bank.nanos + Duration.ofSeconds(10).toNanos(); bank.nanos < until; ) {
      List<DispatchId> spent = round(fast, 5_000);
      started += spent.size();
      tokens.decided(spent);
      pass(tokens.nextDue().orElseThrow());
    }
    assertThat(started).isBetween(10_940, 11_000);
    assertThat(bank.withdrawals).isLessThanOrEqualTo(201);
  }

  @Test
  void a_claim_that_was_refused_gives_its_token_back_and_one_that_is_unknown_does_not() {
    List<DispatchId> spent = round(QUEUE, 10);
    tokens.giveBack(spent.subList(0, 2));
    tokens.decided(spent);
    assertThat(round(QUEUE, 10)).hasSize(2);
  }

  @Test
  void tokens_that_are_held_keep_the_bucket_from_filling() {
    round(QUEUE, 10);
    pass(Duration.ofMinutes(1));
    assertThat(round(QUEUE, 10)).as("nobody knows yet whether they are spent").isEmpty();
  }

  @Test
  void a_new_leadership_begins_with_nothing() {
    List<DispatchId> spent = round(QUEUE, 10);
    tokens.begin(new Epoch(2));
    tokens.giveBack(spent);
    assertThat(tokens.has(QUEUE)).isZero();
  }

  @Test
  void smallest_bucket_and_slowest_flow_count_where_task_queues_disagree() {
    TaskQueue small = queue("other", 4, Duration.ofMinutes(1));
    tokens.begin(EPOCH);
    tokens.withdraw(EPOCH, Map.of(QUEUE, 10, small, 10));
    assertThat(tokens.has(QUEUE)).isEqualTo(4);
    assertThat(bank.last.perSecond()).isEqualTo(4.0 / 60);
  }

  @Test
  void tokens_that_nobody_uses_are_given_up() {
    round(QUEUE, 10).forEach(each -> tokens.giveBack(List.of(each)));
    assertThat(tokens.has(QUEUE)).isEqualTo(10);
    pass(Duration.ofSeconds(2));
    tokens.begin(EPOCH);
    assertThat(tokens.has(QUEUE)).isZero();
    assertThat(bank.level).isEqualTo(10);
    assertThat(bank.last.hold()).isEqualTo(new Hold(2, 0));
  }

  @Test
  void the_next_withdrawal_says_how_long_tokens_were_held() {
    List<DispatchId> spent = round(QUEUE, 4);
    pass(Duration.ofMillis(30));
    tokens.decided(spent);
    pass(Duration.ofMillis(20));
    round(QUEUE, 1);
    assertThat(bank.last.hold()).isEqualTo(new Hold(0.05, 0.03));
  }

  /** A bucket of ten tokens, unless somebody wishes for another. */
  static final class Bank implements LimitStatements {
    final List<FullKey> full = new ArrayList<>();
    long nanos = 1;
    long filledAt;
    double level = -1;
    int withdrawals;
    Withdrawal last = new Withdrawal(new OfTenant("", ""), 0, 0, 0, 0, 0, Hold.UNKNOWN);

    @Override
    public List<Granted> withdraw(List<Withdrawal> wanted) {
      withdrawals++;
      last = wanted.getFirst();
      double filled =
          level < 0
              ? last.size()
              : level + (nanos - filledAt) / 1e9 * last.perSecond() + last.returned();
      double now = Math.max(0, Math.min(last.size() - last.held(), filled + 1e-9));
      int taken = Math.min(last.wanted(), (int) now);
      level = now - taken;
      filledAt = nanos;
      return List.of(new Granted(last.key(), taken, level));
    }

    @Override
    public CancelledNew cancelNew(List<FullKey> keys, int max, String reason, String actor) {
      full.addAll(keys);
      return new CancelledNew(
          keys.stream().map(FullKey::queue).collect(Collectors.toSet()), List.of());
    }

    @Override
    public List<AttemptKey> findOldestHolders(List<FullKey> keys, int max) {
      full.addAll(keys);
      return List.of();
    }
  }
}
