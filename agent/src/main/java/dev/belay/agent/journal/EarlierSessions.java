package dev.belay.agent.journal;

import dev.belay.domain.id.SessionId;
import dev.belay.session.agent.Recovered;
import java.util.Set;

/**
 * What the journal says of the sessions before this one.
 *
 * @param ids their processes may still be there; end them before going on
 */
public record EarlierSessions(Set<SessionId> ids, Recovered recovered) {}
