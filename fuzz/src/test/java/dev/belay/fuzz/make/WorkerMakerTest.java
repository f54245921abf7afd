package dev.belay.fuzz.make;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.belay.fuzz.request.Request.Worker;
import dev.belay.protocol.agent.v1.AgentMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class WorkerMakerTest {

  private static final int CALLS = 2_000;
  private static final int PREFIX_BYTES = 5;
  private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  /** The ids of a start, an end, a refusal or a held dispatch. */
  private record Ids(String kind, boolean dispatch, boolean task) {
    static Ids of(String kind, String dispatch, String task) {
      return new Ids(kind, UUID.matcher(dispatch).matches(), UUID.matcher(task).matches());
    }
  }

  @Test
  void every_report_occurs_with_good_ids_and_with_one_broken_id() throws Exception {
    var reports = new ArrayList<Ids>();
    for (long number = 1; number <= CALLS; number++) {
      reports.addAll(reports(WorkerMaker.of(Dice.at(1, number), true)));
    }
    for (String kind : List.of("started", "finished", "refused", "held")) {
      assertThat(reports)
          .contains(
              new Ids(kind, true, true), new Ids(kind, true, false), new Ids(kind, false, true));
    }
  }

  private static List<Ids> reports(Worker call) throws InvalidProtocolBufferException {
    var reports = new ArrayList<Ids>();
    if (call.decodable() && call.method().equals(WorkerMaker.SESSION)) {
      for (byte[] frame : call.frames()) {
        var message =
            AgentMessage.parseFrom(
                ByteString.copyFrom(frame, PREFIX_BYTES, frame.length - PREFIX_BYTES));
        report(message).ifPresent(reports::add);
        message
            .getHello()
            .getHeldList()
            .forEach(held -> reports.add(Ids.of("held", held.getDispatchId(), held.getTaskId())));
      }
    }
    return reports;
  }

  private static Optional<Ids> report(AgentMessage message) {
    return switch (message.getKindCase()) {
      case STARTED -> {
        var started = message.getStarted();
        yield Optional.of(Ids.of("started", started.getDispatchId(), started.getTaskId()));
      }
      case FINISHED -> {
        var finished = message.getFinished();
        yield Optional.of(Ids.of("finished", finished.getDispatchId(), finished.getTaskId()));
      }
      case REFUSED -> {
        var refused = message.getRefused();
        yield Optional.of(Ids.of("refused", refused.getDispatchId(), refused.getTaskId()));
      }
      case HELLO, HEARTBEAT, ACKED, DRAINING, RESULTS, KIND_NOT_SET -> Optional.empty();
    };
  }
}
