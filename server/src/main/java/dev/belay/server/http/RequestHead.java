package dev.belay.server.http;

import com.linecorp.armeria.common.HttpMethod;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import java.util.stream.Stream;

/**
 * Checks the head of each HTTP/1 request as it was sent: what stands behind fills in or passes over
 * what is missing, doubled or unknown. A fault goes on as one of the decoder, and is answered like
 * those.
 */
final class RequestHead extends ChannelInboundHandlerAdapter {

  private static final AsciiString HTTP2_SETTINGS = AsciiString.cached("http2-settings");

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    if (message instanceof HttpRequest head && head.decoderResult().isSuccess()) {
      check(head);
    }
    super.channelRead(context, message);
  }

  private static void check(HttpRequest head) {
    // Clients that speak HTTP/2 begin with it, so nobody needs to change over.
    head.headers().remove(HttpHeaderNames.UPGRADE).remove(HTTP2_SETTINGS);
    var version = head.protocolVersion();
    var hosts = head.headers().getAll(HttpHeaderNames.HOST).size();
    if (!version.equals(HttpVersion.HTTP_1_1) && !version.equals(HttpVersion.HTTP_1_0)) {
      fail(head, 505, "This server speaks HTTP/1.1 and HTTP/2, not " + version.text() + ".");
    } else if (hosts == 0) {
      fail(head, 400, "The Host header is missing; send one, like Host: localhost.");
    } else if (hosts > 1) {
      fail(head, 400, "The request has " + hosts + " Host headers; send one.");
    } else if (names(head, HttpHeaderNames.HOST)) {
      fail(head, 400, "The Connection header names Host; leave it out.");
    } else if (!HttpMethod.isSupported(head.method().name())) {
      // Refused as unknown below; nobody is asked to send a body for that.
      head.headers().remove(HttpHeaderNames.EXPECT);
    }
  }

  /** What a Connection header names is dropped on the way, and the Host is needed. */
  private static boolean names(HttpRequest head, AsciiString header) {
    return head.headers().getAll(HttpHeaderNames.CONNECTION).stream()
        .flatMap(line -> Stream.of(line.split(",")))
        .anyMatch(name -> header.contentEqualsIgnoreCase(name.strip()));
  }

  private static void fail(HttpRequest head, int status, String detail) {
    head.setDecoderResult(DecoderResult.failure(new BadHead(status, detail)));
  }
}
