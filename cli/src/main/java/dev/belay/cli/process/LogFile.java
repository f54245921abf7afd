package dev.belay.cli.process;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.filter.ThresholdFilter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Sends the log of this process to a file of limited size, and warnings to stderr as well. */
final class LogFile {

  private static final String NAME = "belay.log";
  private static final String LINE =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{24} %msg %kvp%n";
  private static final String SHORT_LINE = "belay: %level %msg %kvp%n";
  private static final FileSize SIZE_MAX = FileSize.valueOf("10MB");
  private static final int OLD_FILES_MAX = 3;

  /** They log closed connections with stack traces, which we expect and log ourselves. */
  private static final List<String> TALKATIVE =
      List.of(
          "com.zaxxer.hikari",
          "com.linecorp.armeria.client.AbstractHttpRequestHandler",
          "com.linecorp.armeria.internal.common.AbstractHttp2ConnectionHandler",
          "com.linecorp.armeria.server.DefaultUnloggedExceptionsReporter");

  private LogFile() {}

  /** To the chosen file, else to the folder, with warnings on stderr as well. */
  static Path open(Path folder, @Nullable Path chosen) {
    return chosen == null ? open(folder, true) : openFile(chosen.toAbsolutePath(), false);
  }

  /**
   * @param warnings whether warnings go to stderr, too
   */
  static Path open(Path folder, boolean warnings) {
    return openFile(folder.resolve(NAME), warnings);
  }

  private static Path openFile(Path file, boolean warnings) {
    var context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.INFO);
    TALKATIVE.forEach(name -> context.getLogger(name).setLevel(Level.ERROR));
    root.addAppender(rolling(context, file));
    makePrivate(file);
    if (warnings) {
      root.addAppender(stderr(context));
    }
    return file;
  }

  /** It names tasks, folders and users, so only its owner may read it. */
  private static void makePrivate(Path file) {
    if (!Files.isRegularFile(file)) {
      return;
    }
    try {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    } catch (IOException notOurs) {
      LoggerFactory.getLogger(LogFile.class).atWarn().setCause(notOurs).log("log file not private");
    }
  }

  /** Stops all logging. */
  static void close() {
    var context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.OFF);
  }

  private static RollingFileAppender<ILoggingEvent> rolling(LoggerContext context, Path file) {
    var appender = new RollingFileAppender<ILoggingEvent>();
    appender.setFile(file.toString());
    var window = new FixedWindowRollingPolicy();
    window.setContext(context);
    window.setParent(appender);
    window.setFileNamePattern(file + ".%i");
    window.setMinIndex(1);
    window.setMaxIndex(OLD_FILES_MAX);
    window.start();
    var size = new SizeBasedTriggeringPolicy<ILoggingEvent>();
    size.setContext(context);
    size.setMaxFileSize(SIZE_MAX);
    size.start();
    appender.setRollingPolicy(window);
    appender.setTriggeringPolicy(size);
    return started(context, appender, LINE);
  }

  private static ConsoleAppender<ILoggingEvent> stderr(LoggerContext context) {
    var appender = new ConsoleAppender<ILoggingEvent>();
    appender.setTarget("System.err");
    var threshold = new ThresholdFilter();
    threshold.setLevel(Level.WARN.toString());
    threshold.start();
    appender.addFilter(threshold);
    return started(context, appender, SHORT_LINE);
  }

  private static <A extends OutputStreamAppender<ILoggingEvent>> A started(
      LoggerContext context, A appender, String line) {
    var encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern(line);
    encoder.start();
    appender.setContext(context);
    appender.setEncoder(encoder);
    appender.start();
    return appender;
  }
}
