package dev.belay.agent.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.session.agent.JournalEntry;
import dev.belay.session.wire.WireId;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

/**
 * The format of the journal's lines. An outcome is base64 protobuf, which keeps every value exact.
 */
final class Lines {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private Lines() {}

  sealed interface Line {}

  /** The first line. {@code complete} is false until a server knows of a loss. */
  record Header(String bootId, SessionId session, boolean complete) implements Line {}

  record Step(JournalEntry entry) implements Line {}

  /** A server knows that the journal was not complete. */
  record LossReported() implements Line {}

  static String write(Line line) {
    ObjectNode node = JSON.createObjectNode();
    switch (line) {
      case Header header ->
          node.put("journal", 1)
              .put("boot", header.bootId())
              .put("session", header.session().toString())
              .put("complete", header.complete());
      case LossReported ignored -> node.put("loss_reported", true);
      case Step(JournalEntry.Prepared prepared) ->
          node.put("prepared", prepared.dispatch().toString())
              .put("task", prepared.task().toString());
      case Step(JournalEntry.Started started) ->
          node.put("started", started.dispatch().toString())
              .put("task", started.task().toString())
              .put("at", Instant.ofEpochMilli(started.atMs()).toString())
              .put("pid", started.pid());
      case Step(JournalEntry.Ended ended) ->
          node.put("ended", ended.dispatch().toString())
              .put("finished", Base64.getEncoder().encodeToString(ended.finished().toByteArray()));
      case Step(JournalEntry.Settled settled) -> node.put("settled", settled.dispatch().toString());
    }
    return node + "\n";
  }

  /** Empty when the line is damaged. */
  static Optional<Line> read(String text) {
    try {
      return Optional.of(parse(JSON.readTree(text)));
    } catch (JsonProcessingException | InvalidProtocolBufferException | RuntimeException damaged) {
      return Optional.empty();
    }
  }

  private static Line parse(JsonNode node) throws InvalidProtocolBufferException {
    if (node.has("prepared")) {
      return new Step(
          new JournalEntry.Prepared(DispatchId.of(node.get("prepared").asText()), task(node)));
    }
    if (node.has("started")) {
      Instant at = Instant.parse(node.required("at").asText());
      long pid = node.required("pid").asLong();
      return new Step(
          new JournalEntry.Started(
              DispatchId.of(node.get("started").asText()), task(node), at.toEpochMilli(), pid));
    }
    if (node.has("ended")) {
      return new Step(ended(Base64.getDecoder().decode(node.required("finished").asText())));
    }
    if (node.has("settled")) {
      return new Step(new JournalEntry.Settled(DispatchId.of(node.get("settled").asText())));
    }
    if (node.has("loss_reported")) {
      return new LossReported();
    }
    return new Header(
        node.required("boot").asText(),
        SessionId.of(node.required("session").asText()),
        node.required("complete").asBoolean());
  }

  /** An agent that knew no tasks wrote none; the server then finds it in the worker's mailbox. */
  private static TaskId task(JsonNode node) {
    return WireId.task(node.path("task").asText());
  }

  /** Without a dispatch, a server could not take it. */
  private static JournalEntry ended(byte[] finished) throws InvalidProtocolBufferException {
    var ended = new JournalEntry.Ended(Finished.parseFrom(finished));
    var _ = ended.dispatch();
    var _ = ended.task();
    return ended;
  }
}
