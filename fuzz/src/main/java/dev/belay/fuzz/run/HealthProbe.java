package dev.belay.fuzz.run;

import dev.belay.fuzz.request.Answer;
import dev.belay.fuzz.request.Request.Http;
import dev.belay.fuzz.request.Request.Trouble;
import dev.belay.fuzz.send.HttpSender;
import dev.belay.fuzz.tested.TestedServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongSupplier;

/** Polls the health in the background, as a monitor would, and records the time of each answer. */
final class HealthProbe implements AutoCloseable {

  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final int OK = 200;

  private final HttpSender client;
  private final Http question;
  private final List<Long> millis = Collections.synchronizedList(new ArrayList<>());
  private final Thread thread;
  private volatile String worst = "";

  HealthProbe(TestedServer target, LongSupplier nanos) {
    this.client =
        new HttpSender(target.address(), nanos, Thread.ofVirtual().name("probe-writer").factory());
    String text = "GET /monitor/health HTTP/1.1\r\nHost: " + target.host() + "\r\n\r\n";
    this.question = new Http(text.getBytes(StandardCharsets.US_ASCII), true, false, Trouble.NONE);
    this.thread = Thread.ofPlatform().daemon().name("health-probe").start(this::probe);
  }

  private void probe() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        Answer answer = client.send(question);
        millis.add(answer.millis());
        if (answer.status() != OK && worst.isEmpty()) {
          worst = answer.word() + " " + answer.detail() + " " + answer.text();
        }
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The first answer other than 200; empty when there was none. */
  String unhealthy() {
    return worst;
  }

  long p99() {
    synchronized (millis) {
      var sorted = millis.stream().sorted().toList();
      return sorted.isEmpty()
          ? -1
          : sorted.get((int) Math.min(sorted.size() - 1.0, sorted.size() * 0.99));
    }
  }

  long worstMillis() {
    synchronized (millis) {
      return millis.stream().mapToLong(Long::longValue).max().orElse(-1);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
