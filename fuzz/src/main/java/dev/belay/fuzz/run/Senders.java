package dev.belay.fuzz.run;

import dev.belay.fuzz.request.Answer;
import dev.belay.fuzz.request.Request;
import dev.belay.fuzz.request.Request.Http;
import dev.belay.fuzz.request.Request.Worker;
import dev.belay.fuzz.send.HttpSender;
import dev.belay.fuzz.send.WorkerSender;
import dev.belay.fuzz.tested.TestedServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;

/** Runs a few clients at a time. The caller's thread only waits. */
final class Senders implements AutoCloseable {

  private final List<HttpSender> clients = new ArrayList<>();
  private final WorkerSender workers;
  private final ExecutorService threads;

  Senders(TestedServer target, int count, LongSupplier nanos) {
    var writers = Thread.ofVirtual().name("writer-", 0).factory();
    for (int i = 0; i < count; i++) {
      clients.add(new HttpSender(target.address(), nanos, writers));
    }
    this.workers = new WorkerSender(target.address(), target.token(), target.joinToken(), nanos);
    this.threads = Executors.newFixedThreadPool(count);
  }

  /** Answers in the order of the requests. */
  List<Answer> send(List<Request> requests) throws InterruptedException {
    var lanes = new ArrayList<Callable<List<Answer>>>();
    for (int lane = 0; lane < clients.size(); lane++) {
      int first = lane;
      lanes.add(() -> lane(requests, first));
    }
    var byLane = new ArrayList<List<Answer>>();
    for (var done : threads.invokeAll(lanes)) {
      try {
        byLane.add(done.get());
      } catch (ExecutionException e) {
        throw new IllegalStateException("the fuzzer itself failed", e.getCause());
      }
    }
    var answers = new ArrayList<Answer>();
    for (int i = 0; i < requests.size(); i++) {
      answers.add(byLane.get(i % clients.size()).get(i / clients.size()));
    }
    return answers;
  }

  private List<Answer> lane(List<Request> requests, int first) {
    var answers = new ArrayList<Answer>();
    for (int i = first; i < requests.size(); i += clients.size()) {
      answers.add(send(clients.get(first), requests.get(i)));
    }
    return answers;
  }

  Answer sendAlone(Request request) {
    return send(clients.getFirst(), request);
  }

  private Answer send(HttpSender client, Request request) {
    return switch (request.content()) {
      case Http http -> client.send(http);
      case Worker worker -> workers.send(worker);
    };
  }

  @Override
  public void close() {
    threads.shutdownNow();
    clients.forEach(HttpSender::close);
    workers.close();
  }
}
