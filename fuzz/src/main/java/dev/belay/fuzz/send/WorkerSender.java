package dev.belay.fuzz.send;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.belay.fuzz.request.Answer;
import dev.belay.fuzz.request.Answer.Outcome;
import dev.belay.fuzz.request.Request.End;
import dev.belay.fuzz.request.Request.Worker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Sends given frames as gRPC over HTTP/2. Thread-safe. */
public final class WorkerSender implements AutoCloseable {

  /** How long to wait for an answer before resetting a call. */
  private static final long MOMENT_MILLIS = 100;

  /** A Welcome is a message with field 1 of the oneof. */
  private static final int WELCOME = 0x0a;

  private static final int PREFIX = 5;
  private static final int HTTP_OK = 200;

  private final ClientFactory factory;
  private final WebClient client;
  private final String token;
  private final String joinToken;
  private final LongSupplier nanos;

  public WorkerSender(
      InetSocketAddress server, String token, String joinToken, LongSupplier nanos) {
    this.factory = ClientFactory.builder().build();
    this.client =
        WebClient.builder("h2c://" + server.getHostString() + ":" + server.getPort())
            .factory(factory)
            .responseTimeoutMillis(0)
            .writeTimeoutMillis(HttpSender.ANSWER_MAX.toMillis())
            .maxResponseLength(0)
            .build();
    this.token = token;
    this.joinToken = joinToken;
    this.nanos = nanos;
  }

  public Answer send(Worker call) {
    long start = nanos.getAsLong();
    return exchange(call).after((nanos.getAsLong() - start) / 1_000_000);
  }

  private Answer exchange(Worker call) {
    var request = HttpRequest.streaming(headers(call));
    var reader = new Reader();
    var response = client.execute(request);
    if (call.end() != End.UNREAD) {
      response.subscribe(reader);
    }
    for (byte[] frame : call.frames()) {
      if (!request.tryWrite(HttpData.wrap(frame))) {
        break;
      }
    }
    try {
      return switch (call.end()) {
        case HALF_CLOSE -> {
          request.close();
          yield reader.ended.get(HttpSender.ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS);
        }
        case RESET -> {
          reader.awaitMoment();
          request.close(new IOException("reset on purpose"));
          response.abort();
          yield reader.left();
        }
        case UNREAD -> {
          request.close();
          Thread.sleep(MOMENT_MILLIS);
          response.abort();
          yield reader.left();
        }
      };
    } catch (TimeoutException e) {
      response.abort();
      return Answer.without(Outcome.SILENT, "the call did not end after its half-close");
    } catch (ExecutionException e) {
      return Answer.without(Outcome.RESET, String.valueOf(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Answer.without(Outcome.LEFT, "interrupted");
    }
  }

  private RequestHeaders headers(Worker call) {
    RequestHeadersBuilder headers =
        RequestHeaders.builder(HttpMethod.POST, call.method())
            .set("content-type", "application/grpc")
            .set("te", "trailers");
    switch (call.credential()) {
      case JOIN -> headers.set("authorization", "Bearer " + joinToken);
      case API -> headers.set("authorization", "Bearer " + token);
      case WRONG -> headers.set("authorization", "Bearer wrong");
      case NONE -> headers.set("x-none", "1");
    }
    return headers.build();
  }

  /** Records how a call ended. One thread at a time calls it. */
  private static final class Reader implements Subscriber<HttpObject> {
    final CompletableFuture<Answer> ended = new CompletableFuture<>();
    private final CompletableFuture<Boolean> something = new CompletableFuture<>();
    private int httpStatus = HTTP_OK;
    private int status = -1;
    private String message = "";
    private volatile boolean welcomed;

    void awaitMoment() throws InterruptedException {
      try {
        something.get(MOMENT_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException | ExecutionException e) {
        // No answer came, which is fine: the call ends anyway.
      }
    }

    Answer left() {
      return new Answer(Outcome.LEFT, -1, marks(), new byte[0], 0, "");
    }

    private Map<String, String> marks() {
      return welcomed ? Map.of(Answer.WELCOMED, "1") : Map.of();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(HttpObject part) {
      something.complete(true);
      if (part instanceof ResponseHeaders headers) {
        httpStatus = headers.status().code();
      }
      if (part instanceof HttpHeaders headers) {
        String code = headers.get("grpc-status");
        if (code != null) {
          status = Integer.parseInt(code);
          message = String.valueOf(headers.get("grpc-message"));
        }
      } else if (part instanceof HttpData data) {
        byte[] bytes = data.array();
        welcomed |= bytes.length > PREFIX && bytes[PREFIX] == WELCOME;
      }
    }

    @Override
    public void onError(Throwable failure) {
      ended.complete(Answer.without(Outcome.RESET, failure.toString()));
    }

    @Override
    public void onComplete() {
      var headers = new HashMap<String, String>(marks());
      if (httpStatus == HTTP_OK) {
        ended.complete(new Answer(Outcome.CALL_ENDED, status, headers, new byte[0], 0, message));
      } else {
        ended.complete(new Answer(Outcome.ANSWERED, httpStatus, headers, new byte[0], 0, ""));
      }
    }
  }

  @Override
  public void close() {
    factory.close();
  }
}
