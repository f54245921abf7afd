package dev.belay.domain.reap;

import dev.belay.domain.reap.LivenessVerdict.End;
import dev.belay.domain.reap.LivenessVerdict.Leave;
import dev.belay.domain.reap.WorkerSign.Link;
import dev.belay.domain.task.TaskState;
import java.time.Duration;

/**
 * Rules for attempts that their worker no longer reports. Each rule is a function of the
 * observations and the settings; none reads a clock.
 */
public enum LivenessRule {

  /** A person deleted the worker. */
  WORKER_GONE {
    @Override
    public LivenessVerdict judge(Attempt attempt, ReapSettings settings, ReapContext context) {
      return attempt.worker().isPresent()
          ? new Leave("its worker exists")
          : new End(RecoveryKind.WORKER_GONE, Duration.ZERO, settings.lease().isOverAfter());
    }
  },

  /**
   * The worker's side closed the connection, which the database recorded after the claim. So the
   * rule needs no grace after an election, but the worker must have had a chance to reconnect.
   */
  AGENT_CLOSED {
    @Override
    public LivenessVerdict judge(Attempt attempt, ReapSettings settings, ReapContext context) {
      return attempt
          .worker()
          .<LivenessVerdict>map(
              worker ->
                  switch (worker.link()) {
                    case Link.Open _ -> new Leave("its worker is connected");
                    case Link.Left _ -> new Leave("its worker was not the one that hung up");
                    case Link.Closed(var since) -> hungUp(worker, since, settings, context);
                  })
          .orElse(new Leave(NO_WORKER));
    }
  },

  /** The worker was silent while some replica could write. */
  AGENT_SILENT {
    @Override
    public LivenessVerdict judge(Attempt attempt, ReapSettings settings, ReapContext context) {
      if (attempt.worker().isEmpty()) {
        return new Leave(NO_WORKER);
      }
      WorkerSign worker = attempt.worker().get();
      Duration silent = settings.liveness().silent();
      boolean outlasted = outlasted(worker.listened(), silent, settings);
      if (!outlasted && worker.silence().compareTo(silent) < 0) {
        return new Leave("its worker was heard, or nobody could listen");
      }
      // One grace beyond the limit is enough, however recent the election.
      Duration surely = silent.plus(settings.grace().takeover());
      if (!outlasted && !context.isCalm() && worker.silence().compareTo(surely) < 0) {
        return new Leave(NOT_CALM);
      }
      if (isYoung(attempt, settings)) {
        return new Leave(YOUNG);
      }
      Duration held = silent.plus(settings.grace().mass().hold());
      if (context.massSilence()
          && longer(worker.silence(), worker.listened()).compareTo(held) < 0) {
        return new Leave("too many workers are silent together");
      }
      Duration since = outlasted ? longer(worker.silence(), worker.listened()) : worker.silence();
      return new End(RecoveryKind.AGENT_SILENT, since, leaseLeft(worker, settings));
    }
  },

  /**
   * The worker lives in another session than the attempt. The gateway usually finds this first, at
   * each hello and each second; this rule is the safety net.
   */
  SESSION_OVER {
    @Override
    public LivenessVerdict judge(Attempt attempt, ReapSettings settings, ReapContext context) {
      if (attempt.worker().isEmpty()) {
        return new Leave(NO_WORKER);
      }
      if (attempt.ofCurrentSession()) {
        return new Leave("it is of its worker's session");
      }
      Duration sinceHello = attempt.worker().get().sinceConnected();
      return sinceHello.compareTo(settings.grace().dispatch()) < 0
              || !context.couldAnswer(sinceHello, settings.grace().takeover())
          ? new Leave("its worker's replica has its turn")
          : new End(RecoveryKind.SESSION_OVER, sinceHello, settings.lease().isOverAfter());
    }
  },

  /** A live worker did not start it. Nothing can still run, so strict fencing needs no wait. */
  DISPATCH_LOST {
    @Override
    public LivenessVerdict judge(Attempt attempt, ReapSettings settings, ReapContext context) {
      if (attempt.state() != TaskState.DISPATCHED) {
        return new Leave("it started");
      }
      if (attempt.worker().filter(worker -> isHeard(worker, settings)).isEmpty()) {
        return new Leave("its worker cannot say whether it started");
      }
      WorkerSign worker = attempt.worker().get();
      Duration limit = settings.liveness().dispatchLost();
      Duration more = attempt.preparing() ? limit.multipliedBy(PREPARING_MORE) : Duration.ZERO;
      Duration heard = shorter(attempt.listened(), worker.sinceConnected()).minus(more);
      if (worker.watched().lively().compareTo(settings.grace().dispatch()) < 0
          && !outlasted(heard, limit, settings)) {
        return new Leave("its worker was not heard until a moment ago");
      }
      Duration told = shorter(attempt.age(), worker.sinceConnected()).minus(more);
      return told.compareTo(limit) < 0
          ? new Leave(attempt.preparing() ? "its worker prepares it" : "it may still start")
          : new End(RecoveryKind.DISPATCH_LOST, told, Duration.ZERO);
    }
  };

  /** A dispatch in preparation gets this many times the limit on top of it. */
  private static final int PREPARING_MORE = 4;

  private static final String NO_WORKER = "it has no worker";
  private static final String NOT_CALM = "nobody has looked for long enough";
  private static final String YOUNG = "it was committed a moment ago";

  public abstract LivenessVerdict judge(
      Attempt attempt, ReapSettings settings, ReapContext context);

  /** The first rule that ends the attempt decides. */
  public static LivenessVerdict judgeAll(
      Attempt attempt, ReapSettings settings, ReapContext context) {
    LivenessVerdict last = new Leave("no rule looked at it");
    for (LivenessRule rule : values()) {
      last = rule.judge(attempt, settings, context);
      if (last instanceof End) {
        return last;
      }
    }
    return last;
  }

  private static LivenessVerdict hungUp(
      WorkerSign worker, Duration since, ReapSettings settings, ReapContext context) {
    Duration limit = settings.liveness().closed();
    if (since.compareTo(limit) < 0) {
      return new Leave("its worker may come back");
    }
    boolean ends =
        context.couldAnswer(since, settings.grace().takeover())
            || outlasted(worker.listened(), limit, settings);
    return ends
        ? new End(RecoveryKind.AGENT_CLOSED, since, leaseLeft(worker, settings))
        : new Leave("its worker could not come back until a moment ago");
  }

  /** Bounds all graces together. */
  private static boolean outlasted(Duration listened, Duration limit, ReapSettings settings) {
    return listened.compareTo(limit.plus(settings.grace().sumMax())) >= 0;
  }

  private static boolean isYoung(Attempt attempt, ReapSettings settings) {
    return attempt.age().compareTo(settings.grace().dispatch()) < 0;
  }

  private static boolean isHeard(WorkerSign worker, ReapSettings settings) {
    return worker.isOpen() && worker.silence().compareTo(settings.grace().dispatch()) < 0;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /**
   * The database's clock may have jumped; the time this leader watched has surely passed. So after
   * an election, strict tasks wait for a whole lease.
   */
  private static Duration leaseLeft(WorkerSign worker, ReapSettings settings) {
    Duration sure = shorter(worker.sinceSeen(), worker.watched().still());
    Duration left = settings.lease().isOverAfter().minus(sure);
    return left.isNegative() ? Duration.ZERO : left;
  }
}
