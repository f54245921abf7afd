package dev.belay.session.gateway;

import dev.belay.domain.id.DispatchId;
import dev.belay.protocol.agent.v1.Granted;
import dev.belay.protocol.agent.v1.Settled;
import java.util.ArrayList;
import java.util.List;

/** Collects the consequences of settlements into as few commands as possible. */
final class Answers {
  private final Settled.Builder settled = Settled.newBuilder();
  private final Granted.Builder granted = Granted.newBuilder();
  private final List<WorkerEvent> again = new ArrayList<>();

  /** The agent may forget it. */
  void settle(DispatchId id, Settlement.Answer answer) {
    settled
        .addSettlementsBuilder()
        .setDispatchId(id.toString())
        .setAnswer(
            switch (answer) {
              case APPLIED -> dev.belay.protocol.agent.v1.Settlement.Answer.APPLIED;
              case DUPLICATE -> dev.belay.protocol.agent.v1.Settlement.Answer.DUPLICATE;
              case VOID -> dev.belay.protocol.agent.v1.Settlement.Answer.VOID;
            });
  }

  /** Its start is committed. */
  void grant(DispatchId id) {
    granted.addDispatchIds(id.toString());
  }

  void applyAgain(WorkerEvent event) {
    again.add(event);
  }

  List<GatewayCommand> commands() {
    var commands = new ArrayList<GatewayCommand>();
    if (settled.getSettlementsCount() > 0) {
      commands.add(ServerMessages.settled(settled));
    }
    if (granted.getDispatchIdsCount() > 0) {
      commands.add(ServerMessages.granted(granted));
    }
    if (!again.isEmpty()) {
      commands.add(new GatewayCommand.Apply(List.copyOf(again)));
    }
    return commands;
  }
}
