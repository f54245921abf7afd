package dev.belay.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class NoAnswerTest {

  private static final URI SERVER = URI.create("https://belay.example");

  /** Plain http would send the token to any server with that certificate. */
  @Test
  void bad_certificate_is_named_and_plain_http_is_not_advised() {
    var cause =
        new SSLHandshakeException(
            "PKIX path validation failed: java.security.cert.CertPathValidatorException: validity"
                + " check failed");

    var none = NoAnswer.of(SERVER, new IOException("connection failed", cause));

    assertThat(none.why()).contains("TLS", "PKIX path validation failed");
    assertThat(none.advice()).contains("certificate").doesNotContain("http://");
  }

  @Test
  void server_without_tls_is_to_be_asked_with_plain_http() {
    var cause = new SSLException("Unsupported or unrecognized SSL message");

    var none = NoAnswer.of(SERVER, new IOException("connection failed", cause));

    assertThat(none.why()).isEqualTo("the server does not use TLS");
    assertThat(none.advice()).contains("http:// instead of https://");
  }
}
