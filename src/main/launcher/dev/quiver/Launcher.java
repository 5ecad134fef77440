package dev.quiver;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The main class of the jar, which checks the version of Java before it loads any other class.
 * Compiled for Java 8: earlier versions than expected would only say that a class has an
 * unsupported version.
 */
final class Launcher {

  private static final int EXPECTED = 25;

  private Launcher() {}

  public static void main(String[] arguments) throws Throwable {
    // Java 8 is "1.8".
    if (Float.parseFloat(System.getProperty("java.specification.version")) < EXPECTED) {
      System.err.printf(
          "Expected Java %d or later but found %s at %s%n",
          EXPECTED, System.getProperty("java.version"), System.getProperty("java.home"));
      System.exit(1);
    }
    MethodHandles.lookup()
        .findStatic(
            Class.forName("dev.quiver.Quiver"),
            "main",
            MethodType.methodType(void.class, String[].class))
        .invokeExact(arguments);
  }
}
