package dev.belay.cli.terminal;

import java.lang.reflect.Proxy;

/** A signal of the operating system. */
public final class RawSignal {
  private RawSignal() {}

  /**
   * Uses reflection, because the compiler warns of sun.misc and there is no alternative.
   *
   * @param name without SIG
   * @return false when this JVM does not allow it
   */
  public static boolean handle(String name, Runnable arrived) {
    try {
      var signalClass = Class.forName("sun.misc.Signal");
      var handlerClass = Class.forName("sun.misc.SignalHandler");
      Object handler =
          Proxy.newProxyInstance(
              handlerClass.getClassLoader(),
              new Class<?>[] {handlerClass},
              (proxy, method, args) -> {
                if (method.getName().equals("handle")) {
                  arrived.run();
                }
                return null;
              });
      signalClass
          .getMethod("handle", signalClass, handlerClass)
          .invoke(null, signalClass.getConstructor(String.class).newInstance(name), handler);
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }
}
