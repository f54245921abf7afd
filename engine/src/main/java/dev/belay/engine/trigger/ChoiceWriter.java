package dev.belay.engine.trigger;

import dev.belay.domain.trigger.SkipReason;
import dev.belay.engine.statement.Transactions;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes choices so that one that the store refuses holds up no other. */
record ChoiceWriter(Transactions transactions) {

  private static final Logger log = LoggerFactory.getLogger(ChoiceWriter.class);

  /** All together, or, if the store refuses that, one by one. */
  <K> void writeEach(List<Choice<K>> choices, Consumer<List<Choice<K>>> write) {
    if (choices.size() == 1 || !isWritten(choices, write)) {
      choices.forEach(choice -> writeWhole(List.of(choice), write));
    }
  }

  /** All of them; if the store refuses that, all are skipped. */
  <K> void writeWhole(List<Choice<K>> choices, Consumer<List<Choice<K>>> write) {
    if (!isWritten(choices, write)) {
      write.accept(
          choices.stream()
              .map(choice -> Choice.skip(choice.key(), SkipReason.PARAMS, "they cannot be stored"))
              .toList());
    }
  }

  private <K> boolean isWritten(List<Choice<K>> choices, Consumer<List<Choice<K>>> write) {
    try {
      write.accept(choices);
      return true;
    } catch (RuntimeException failed) {
      if (!transactions.isRefused(failed)) {
        throw failed;
      }
      log.atWarn()
          .addKeyValue("first", choices.getFirst().key())
          .addKeyValue("count", choices.size())
          .setCause(failed)
          .log("the store refuses the runs of triggers");
      return false;
    }
  }
}
