package dev.quiver.server;

import dev.quiver.store.blob.BlobStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.springframework.beans.factory.config.BeanPostProcessor;

/// Tells each key that a service asks its store for, before the store does anything.
public final class WatchedStore implements BeanPostProcessor {

  private static volatile BiConsumer<String, String> listener = (_, _) -> {};

  /// Sets the listener of all watched stores.
  public static void listen(Consumer<String> next) {
    listener = (_, key) -> next.accept(key);
  }

  /// Sets the listener of all watched stores, which gets the name of the method and the key.
  public static void listenToCalls(BiConsumer<String, String> next) {
    listener = next;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    return bean instanceof BlobStore store
        ? Proxy.newProxyInstance(
            BlobStore.class.getClassLoader(),
            new Class<?>[] {BlobStore.class, AutoCloseable.class},
            (_, method, arguments) -> {
              if (arguments != null && arguments[0] instanceof String key) {
                listener.accept(method.getName(), key);
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            })
        : bean;
  }
}
