package dev.belay.domain.trigger;

import dev.belay.domain.id.RunId;

/** What became of one cause for one trigger. Final, except {@link Waiting}. */
public sealed interface Verdict {

  /** The word of its outcome in the store, in answers and in metrics. */
  String outcome();

  /** It started this run. */
  record Fired(RunId run) implements Verdict {
    @Override
    public String outcome() {
      return "fired";
    }
  }

  /** It is one of the events that another one started this run for. */
  record Coalesced(RunId run) implements Verdict {
    @Override
    public String outcome() {
      return "coalesced";
    }
  }

  /** Its filter let it pass; it waits for the end of its window. */
  record Waiting() implements Verdict {
    @Override
    public String outcome() {
      return "waiting";
    }
  }

  /** Its filter did not let it pass. */
  record Filtered() implements Verdict {
    @Override
    public String outcome() {
      return "filtered";
    }
  }

  record Skipped(String reason) implements Verdict {
    @Override
    public String outcome() {
      return "skipped";
    }
  }

  /** Its filter has no value. */
  record Failed(String reason) implements Verdict {
    @Override
    public String outcome() {
      return "failed";
    }
  }
}
