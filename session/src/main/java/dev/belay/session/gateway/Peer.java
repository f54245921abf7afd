package dev.belay.session.gateway;

import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;

/** The remote end of a stream: the {@code connection}-th stream of one session of a worker. */
public record Peer(WorkerId worker, SessionId session, long connection) {}
