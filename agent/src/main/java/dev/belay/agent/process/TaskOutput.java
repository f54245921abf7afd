package dev.belay.agent.process;

import dev.belay.agent.process.LogSink.Stream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Carries both output pipes of one task from the pump to its log. */
final class TaskOutput {

  /** The name of the latch's shell, with which the shell begins its own messages on stderr. */
  static final String LATCH_NAME = "belay-start";

  private final int outFd;
  private final int errFd;
  private final LogSink sink;
  private final StderrTail tail = new StderrTail();
  private final List<OutputPump.Source> sources = new ArrayList<>();
  private int openStreams = 2;
  private boolean wroteOut;

  TaskOutput(int outFd, int errFd, LogSink sink) {
    this.outFd = outFd;
    this.errFd = errFd;
    this.sink = sink;
  }

  /** Called on the pump thread. */
  interface Listener {
    /** The task wrote something, which may not fit into its log. */
    void wrote();

    /** A stream ended. */
    void ended();
  }

  synchronized void start(OutputPump pump, Listener listener) {
    sources.add(pump.read(outFd, new Receiver(Stream.OUT, listener)));
    sources.add(pump.read(errFd, new Receiver(Stream.ERR, listener)));
  }

  synchronized void stop(OutputPump pump) {
    sources.forEach(pump::stop);
  }

  synchronized boolean ended() {
    return openStreams == 0;
  }

  long lostBytes() {
    return sink.lostBytes();
  }

  String stderrTail() {
    return tail.text();
  }

  /** The message of the latch's shell, if the task wrote nothing else. */
  synchronized Optional<String> latchMessage() {
    String text = tail.text();
    String prefix = LATCH_NAME + ": ";
    return !wroteOut && text.startsWith(prefix) && text.lines().count() == 1
        ? Optional.of("cannot execute: " + text.substring(prefix.length()))
        : Optional.empty();
  }

  private final class Receiver implements OutputPump.Receiver {
    private final Stream stream;
    private final Listener listener;

    Receiver(Stream stream, Listener listener) {
      this.stream = stream;
      this.listener = listener;
    }

    @Override
    public void data(byte[] data, int length) {
      listener.wrote();
      switch (stream) {
        case OUT -> wroteOutput();
        case ERR -> tail.write(data, length);
      }
      sink.write(stream, data, length);
    }

    @Override
    public void quiet() {
      sink.quiet();
    }

    @Override
    public void end() {
      boolean last;
      synchronized (TaskOutput.this) {
        last = openStreams == 1;
      }
      try {
        if (last) {
          sink.close();
        }
      } finally {
        synchronized (TaskOutput.this) {
          openStreams--;
        }
        listener.ended();
      }
    }
  }

  private synchronized void wroteOutput() {
    wroteOut = true;
  }
}
