package dev.belay.engine.port;

import dev.belay.domain.id.EventId;
import dev.belay.domain.id.TriggerId;

/** What one event means for one trigger. */
public record EventKey(TriggerId trigger, EventId event) {}
