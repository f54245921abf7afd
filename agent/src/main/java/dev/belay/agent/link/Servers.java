package dev.belay.agent.link;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.SessionProtocolNegotiationCache;
import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.util.EventLoopGroups;
import dev.belay.protocol.agent.v1.AgentGatewayGrpc.AgentGatewayStub;
import dev.belay.session.agent.AgentProfile;
import dev.belay.session.wire.CallHeaders;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The replicas that this agent may call, in turn. It starts at a random one, so a fleet with one
 * list does not gather at the first. Only the loop uses it.
 */
public final class Servers implements AutoCloseable {

  private final List<URI> addresses;
  private final Path joinTokenFile;
  private final AgentProfile.Identity identity;
  private final LinkSettings settings;
  private @Nullable ClientFactory factory;
  private int next;

  public Servers(
      List<URI> addresses,
      Path joinTokenFile,
      AgentProfile.Identity identity,
      LinkSettings settings,
      RandomGenerator random) {
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException("an agent needs the address of a server");
    }
    this.addresses = addresses;
    this.joinTokenFile = joinTokenFile;
    this.identity = identity;
    this.settings = settings;
    this.next = random.nextInt(addresses.size());
  }

  /** A server with the current token: a replaced token needs no restart. */
  record Server(URI address, AgentGatewayStub gateway) {}

  /** How many replicas the agent may call. */
  int count() {
    return addresses.size();
  }

  Path joinTokenFile() {
    return joinTokenFile;
  }

  Server next() throws IOException {
    var address = addresses.get(next);
    next = (next + 1) % addresses.size();
    // After one HTTP/1 answer, as from a proxy, the cache would block this address for good.
    SessionProtocolNegotiationCache.clear();
    var gateway =
        GrpcClients.builder(http2(address))
            .factory(factory())
            .setHeader(HttpHeaderNames.AUTHORIZATION, "Bearer " + joinToken())
            .setHeader(CallHeaders.WORKER, identity.worker().toString())
            .setHeader(CallHeaders.SESSION, identity.session().toString())
            .setHeader(CallHeaders.KEY, identity.key().text())
            .responseTimeoutMillis(0)
            .maxResponseLength(0)
            .maxResponseMessageLength(settings.messageMaxBytes())
            .writeTimeout(settings.connectTimeout())
            .build(AgentGatewayStub.class);
    return new Server(address, gateway);
  }

  /** Created on the loop at first use: loading the network code must not delay the start. */
  private ClientFactory factory() {
    var made = factory;
    if (made == null) {
      made =
          ClientFactory.builder()
              .workerGroup(EventLoopGroups.newEventLoopGroup(1, "belay-agent-net", true), true)
              .connectTimeout(settings.connectTimeout())
              .pingInterval(settings.pingInterval())
              .idleTimeout(settings.pingInterval().multipliedBy(4))
              .build();
      factory = made;
    }
    return made;
  }

  /** Never falls back to HTTP/1, which cannot carry the streams. */
  private static String http2(URI address) {
    var protocol = "https".equals(address.getScheme()) ? "h2" : "h2c";
    return "gproto+" + protocol + "://" + address.getRawAuthority() + "/";
  }

  private String joinToken() throws IOException {
    try (var in = Files.newInputStream(joinTokenFile)) {
      return new String(in.readNBytes(settings.tokenMaxBytes()), UTF_8).strip();
    }
  }

  /** Call it after the loop has ended. It does not wait; the network threads end soon after. */
  @Override
  public void close() {
    if (factory != null) {
      var _ = factory.closeAsync();
    }
  }
}
