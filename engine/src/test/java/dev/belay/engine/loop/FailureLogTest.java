package dev.belay.engine.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.slf4j.event.EventRecordingLogger;
import org.slf4j.event.SubstituteLoggingEvent;
import org.slf4j.helpers.SubstituteLogger;

class FailureLogTest {

  private final Queue<SubstituteLoggingEvent> told = new ArrayDeque<>();
  private final FailureLog trouble =
      new FailureLog(
          new EventRecordingLogger(new SubstituteLogger("test", told, false), told), "not done");

  @Test
  void an_hour_of_one_failure_is_one_stack_and_few_lines() {
    for (int i = 0; i < 7_200; i++) {
      trouble.met(new IllegalStateException(new ClassCastException("refused")));
    }
    assertThat(stacks()).hasSize(1);
    assertThat(told).hasSizeLessThan(20).hasSizeGreaterThan(10);
    assertThat(lines().getLast()).contains("failures=7168", "refused", "not done");
  }

  @Test
  void another_kind_of_failure_is_told_with_its_stack_but_not_without_end() {
    trouble.met(new IllegalStateException(new ClassCastException("refused")));
    trouble.met(new IllegalStateException(new ClassCastException("again")));
    trouble.met(new IllegalStateException(new InterruptedException("other")));
    assertThat(stacks()).hasSize(2);
    assertThat(lines().get(1)).contains("again");
  }

  @Test
  void lost_connection_is_told_without_a_stack() {
    trouble.met(new IllegalStateException(new IOException("refused")));
    assertThat(stacks()).isEmpty();
    assertThat(lines().getLast()).contains("failures=1", "refused");
  }

  @Test
  void its_end_is_told_once_and_the_next_one_begins_anew() {
    trouble.over();
    assertThat(told).isEmpty();
    trouble.met(new IllegalStateException("first"), event -> event.addKeyValue("loop", "a"));
    assertThat(lines().getLast()).contains("loop=a");
    trouble.over();
    trouble.over();
    assertThat(lines()).hasSize(2);
    assertThat(lines().getLast()).contains("over", "failures=1", "not done");
    trouble.met(new IllegalStateException("second"));
    assertThat(stacks()).hasSize(2);
  }

  private List<Throwable> stacks() {
    return told.stream()
        .map(SubstituteLoggingEvent::getThrowable)
        .filter(each -> each != null)
        .toList();
  }

  private List<String> lines() {
    return told.stream().map(SubstituteLoggingEvent::getMessage).toList();
  }
}
