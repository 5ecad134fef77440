package dev.quiver.server;

import dev.quiver.server.http.RequestId;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.server.observation.DefaultServerRequestObservationConvention;
import org.springframework.http.server.observation.ServerRequestObservationContext;
import org.springframework.stereotype.Component;

/// The values of a request in metrics and traces. Traces have its id, and its path without the
/// query, which may have statements and links.
@Component
final class RequestObservation extends DefaultServerRequestObservationConvention {

  @Override
  public KeyValues getHighCardinalityKeyValues(ServerRequestObservationContext context) {
    KeyValues values = super.getHighCardinalityKeyValues(context);
    HttpServletRequest request = context.getCarrier();
    return request == null ? values : values.and(KeyValue.of("request.id", RequestId.of(request)));
  }
}
