package dev.quiver.server.config;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;

/// Ends the start if the command line has a key below `quiver` twice. Spring joins the values with
/// a comma, which would be one path, or a list of two values.
public final class RepeatedKeys
    implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {

  private static final String PREFIX = "--quiver.";

  @Override
  public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
    Set<String> keys = new HashSet<>();
    for (String argument : List.of(event.getArgs())) {
      String key = argument.split("=", 2)[0];
      if (key.startsWith(PREFIX) && !keys.add(key)) {
        throw ConfigurationException.of(
            "a key once", "it twice on the command line", key.substring(2));
      }
    }
  }
}
