package dev.belay.server.wiring;

import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.spec.Expressions;
import dev.belay.domain.spec.SpecCache;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.engine.loop.Background;
import dev.belay.engine.schedule.RunParams;
import dev.belay.workflow.JsonValues;
import dev.belay.workflow.Params;
import dev.belay.workflow.SpecCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Computes defaults on a bounded pool; plain values are checked on the caller's thread. */
final class ComputedParams implements RunParams {

  private static final long CACHED_CHARS_MAX = 32_000_000;

  private final Function<Collection<WorkflowId>, Map<WorkflowId, String>> specs;
  private final Expressions expressions;
  private final Background pool;
  private final Duration patience;
  private final LongSupplier ticker;
  private final SpecCache<WorkflowId, WorkflowSpec> cached;

  /**
   * @param specs reads specs of versions, as JSON; they need not have their tasks
   * @param pool where expressions are evaluated; each is bounded by itself
   * @param patience for all requests of a call together
   * @param ticker monotonic nanoseconds
   */
  ComputedParams(
      Function<Collection<WorkflowId>, Map<WorkflowId, String>> specs,
      Expressions expressions,
      Background pool,
      Duration patience,
      LongSupplier ticker,
      int cachedMax) {
    this.specs = specs;
    this.expressions = expressions;
    this.pool = pool;
    this.patience = patience;
    this.ticker = ticker;
    this.cached = new SpecCache<>(cachedMax, CACHED_CHARS_MAX);
  }

  /** An answer that may still be computed. */
  private record Pending(CompletableFuture<Answer> answer, Background.@Nullable Ticket ticket) {}

  @Override
  public List<Answer> resolve(List<Request> requests) {
    long until = ticker.getAsLong() + patience.toNanos();
    Map<WorkflowId, String> read = readUnknown(requests);
    List<Pending> pending = new ArrayList<>();
    for (Request request : requests) {
      pending.add(begin(request, read));
    }
    List<Answer> answers = new ArrayList<>();
    for (Pending one : pending) {
      answers.add(await(one, Math.max(0, until - ticker.getAsLong())));
    }
    return answers;
  }

  /** All at once: a thousand triggers of one second may have a thousand workflows. */
  private Map<WorkflowId, String> readUnknown(List<Request> requests) {
    Set<WorkflowId> unknown = new LinkedHashSet<>();
    synchronized (cached) {
      for (Request request : requests) {
        if (cached.get(request.version()) == null) {
          unknown.add(request.version());
        }
      }
    }
    return unknown.isEmpty() ? Map.of() : specs.apply(unknown);
  }

  private Pending begin(Request request, Map<WorkflowId, String> read) {
    WorkflowSpec spec;
    try {
      spec = spec(request.version(), read.get(request.version()));
    } catch (IllegalArgumentException unreadable) {
      return now(
          new Answer.Refused("the stored workflow cannot be read: " + unreadable.getMessage()));
    }
    if (!Params.computes(spec, request.given())) {
      return now(answer(spec, request));
    }
    var answer = new CompletableFuture<Answer>();
    Optional<Background.Ticket> ticket = pool.offer(() -> compute(spec, request, answer));
    return ticket
        .map(accepted -> new Pending(answer, accepted))
        .orElseGet(() -> now(new Answer.Busy()));
  }

  private static Pending now(Answer answer) {
    return new Pending(CompletableFuture.completedFuture(answer), null);
  }

  private void compute(WorkflowSpec spec, Request request, CompletableFuture<Answer> answer) {
    try {
      answer.complete(answer(spec, request));
    } catch (Throwable failed) { // any failure: the caller waits for an answer
      answer.complete(new Answer.Refused("a default cannot be computed: " + failed));
    }
  }

  private static Answer await(Pending one, long nanos) {
    try {
      return one.answer().get(nanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      abandon(one);
      return new Answer.Busy();
    } catch (InterruptedException stopping) {
      abandon(one);
      Thread.currentThread().interrupt();
      return new Answer.Busy();
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static void abandon(Pending one) {
    var ticket = one.ticket();
    if (ticket != null) {
      ticket.abandon();
    }
  }

  private Answer answer(WorkflowSpec spec, Request request) {
    return switch (Params.resolve(spec, request.given(), facts(request.facts()), expressions)) {
      case Params.Resolved(var values) -> {
        String json = JsonValues.write(values);
        yield JsonValues.isStorable(json)
            ? new Answer.Resolved(json)
            : new Answer.Refused("a default has NUL or half a character");
      }
      case Params.Refused(var messages) -> new Answer.Refused(String.join("; ", messages));
    };
  }

  private static Map<String, Object> facts(Facts facts) {
    Map<String, Object> run = new LinkedHashMap<>();
    run.put("id", facts.run().toString());
    run.put("workflow", facts.workflow());
    run.put("tenant", facts.tenant());
    run.put("logical_date", facts.logicalDate().toString());
    run.put("created_at", facts.createdAt().toString());
    return run;
  }

  /**
   * @param json null when it was cached or is gone
   */
  private WorkflowSpec spec(WorkflowId version, @Nullable String json) {
    synchronized (cached) {
      WorkflowSpec known = cached.get(version);
      if (known != null) {
        return known;
      }
    }
    if (json == null) {
      throw new IllegalArgumentException("it is not stored");
    }
    WorkflowSpec spec = SpecCodec.fromJson(json);
    synchronized (cached) {
      cached.put(version, spec, json.length());
    }
    return spec;
  }
}
