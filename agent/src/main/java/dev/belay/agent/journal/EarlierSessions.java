package dev.belay.agent.journal;

import dev.belay.domain.id.SessionId;
import dev.belay.session.agent.Recovered;
import java.util.Set;

/**
 * The sessions before this one, as the journal knows them.
 *
 * @param ids their processes may still run; end them before you continue
 */
public record EarlierSessions(Set<SessionId> ids, Recovered recovered) {}
