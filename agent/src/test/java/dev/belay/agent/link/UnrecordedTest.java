package dev.belay.agent.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.agent.state.AgentFolder;
import dev.belay.agent.state.Reserve;
import dev.belay.agent.state.ReserveSettings;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.protocol.agent.v1.Abort;
import dev.belay.protocol.agent.v1.Assign;
import dev.belay.protocol.agent.v1.Dispatch;
import dev.belay.protocol.agent.v1.ServerMessage;
import dev.belay.protocol.agent.v1.Welcome;
import dev.belay.session.agent.AgentCommand;
import dev.belay.session.agent.AgentProfile;
import dev.belay.session.agent.AgentSession;
import dev.belay.session.agent.AgentSettings;
import dev.belay.session.agent.JournalEntry;
import dev.belay.session.agent.Recovered;
import dev.belay.session.wire.Offer;
import dev.belay.session.wire.WorkerKey;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A batch of commands whose starts could not be recorded. */
class UnrecordedTest {

  private static final DispatchId A = new DispatchId(new UUID(2, 1));
  private static final DispatchId B = new DispatchId(new UUID(2, 2));
  private static final TaskId TASK = new TaskId(new UUID(1, 1));

  @TempDir Path temp;

  private final List<DispatchId> abandoned = new ArrayList<>();
  private final AgentSession session = session();
  private AgentFolder folder;
  private Unrecorded unrecorded;

  @BeforeEach
  void open() throws IOException {
    var opening = AgentFolder.open(temp.resolve("agent"), UUID::randomUUID, new SecureRandom());
    folder = ((AgentFolder.Opened) opening).folder();
    var reserve = Reserve.open(folder, new ReserveSettings(0, 0, 0));
    var clock = InstantSource.fixed(Instant.EPOCH);
    unrecorded = new Unrecorded(session, reserve, clock, (id, reason) -> abandoned.add(id));
  }

  @AfterEach
  void close() throws IOException {
    folder.close();
  }

  @Test
  void process_of_a_refused_start_is_forgotten_and_that_of_a_stopped_one_is_stopped() {
    var assign = Assign.newBuilder().addDispatches(dispatch(A)).addDispatches(dispatch(B));
    session.received(ServerMessage.newBuilder().setAssign(assign).build());
    var batch = new ArrayList<AgentCommand>();
    batch.addAll(session.prepared(A, 7, 10));
    batch.addAll(session.prepared(B, 8, 10));
    var abort = Abort.newBuilder().setDispatchId(B.toString()).setReason("cancelled");
    batch.addAll(session.received(ServerMessage.newBuilder().setAbort(abort).build()));

    var done =
        unrecorded.deny(
            List.of(
                new JournalEntry.Started(A, TASK, 10, 7), new JournalEntry.Started(B, TASK, 10, 8)),
            batch);

    assertThat(abandoned).as("nobody waits for the end of these").containsExactly(A);
    assertThat(done).noneMatch(AgentCommand.Open.class::isInstance);
    assertThat(done)
        .filteredOn(AgentCommand.Stop.class::isInstance)
        .extracting(stop -> ((AgentCommand.Stop) stop).dispatch())
        .containsExactly(B);
  }

  private static Dispatch dispatch(DispatchId id) {
    return Dispatch.newBuilder().setDispatchId(id.toString()).setTaskId(TASK.toString()).build();
  }

  private static AgentSession session() {
    var identity =
        new AgentProfile.Identity(
            new WorkerId(new UUID(3, 1)),
            WorkerKey.random(new Random(1)),
            new SessionId(new UUID(4, 1)),
            1);
    var profile =
        new AgentProfile(
            identity,
            "worker",
            new Offer(List.of("default"), 4, Map.of()),
            "1",
            "linux",
            Instant.EPOCH);
    var session =
        new AgentSession(profile, Recovered.nothing(), AgentSettings.DEFAULT, new Random(1));
    session.start();
    session.connected();
    session.received(ServerMessage.newBuilder().setWelcome(Welcome.newBuilder()).build());
    return session;
  }
}
