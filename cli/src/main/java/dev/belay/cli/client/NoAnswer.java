package dev.belay.cli.client;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Why a server gave no answer, and what to do about it.
 *
 * @param why part of a sentence, without a full stop
 */
record NoAnswer(String why, String advice) {

  /** Causes can form a circle. */
  private static final int CAUSES_MAX = 20;

  private static final String START = "Start one with `belay lite`, or name another with --server.";

  static NoAnswer of(URI url, Exception failure) {
    Throwable cause = failure;
    for (int i = 0; i < CAUSES_MAX && cause != null; i++) {
      var known = known(url, cause);
      if (known != null) {
        return known;
      }
      cause = cause.getCause();
    }
    if (failure instanceof ConnectException) {
      return new NoAnswer("the connection was refused", START);
    }
    String why = failure.getMessage();
    return why == null || why.isBlank()
        ? new NoAnswer("the connection broke", START)
        : new NoAnswer(why.strip().replaceAll("\\.$", ""), START);
  }

  private static @Nullable NoAnswer known(URI url, Throwable cause) {
    return switch (cause) {
      case UnresolvedAddressException _, UnknownHostException _ ->
          new NoAnswer(
              "the host \"%s\" is not known on this machine".formatted(url.getHost()),
              "Check the name in --server; an address like 10.0.0.5 works, too.");
      case NoRouteToHostException _ ->
          new NoAnswer("there is no route to the host", "Check the address and the network.");
      case HttpConnectTimeoutException _ ->
          new NoAnswer(
              "the host did not answer in time (%d s)"
                  .formatted(BelayClient.CONNECT_TIMEOUT.toSeconds()),
              "Check the address, the network and the firewalls.");
      case HttpTimeoutException _ ->
          new NoAnswer(
              "it accepted the connection but did not answer in time", "It may be overloaded.");
      case SSLException tls -> tls(tls);
      default -> protocol(cause);
    };
  }

  /** Does not advise plain http for a bad certificate: it would send the token to anyone. */
  private static NoAnswer tls(SSLException cause) {
    String message = String.valueOf(cause.getMessage());
    return message.contains("Unsupported or unrecognized SSL message")
        ? new NoAnswer(
            "the server does not use TLS",
            "Write http:// instead of https://, unless a proxy with TLS should be there.")
        : new NoAnswer(
            "TLS failed (%s)".formatted(message.strip().replaceAll("\\.$", "")),
            "Check the server's certificate: it must be valid now, be made for this host name, and"
                + " come from an authority that this machine's Java trusts.");
  }

  /** Recognizes the HTTP client's messages about an answer that is not HTTP. */
  private static @Nullable NoAnswer protocol(Throwable cause) {
    String message = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
    boolean strange =
        message.contains("invalid status line")
            || message.contains("invalid response")
            || message.contains("protocol error")
            || message.contains("unsupported http version");
    return strange
        ? new NoAnswer(
            "the program there does not speak HTTP, so it is not a Belay server",
            "Check the port in --server.")
        : null;
  }
}
