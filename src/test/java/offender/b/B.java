package offender.b;

import jakarta.servlet.http.HttpServletRequest;
import offender.a.A;

public final class B {

  A upwards;
  HttpServletRequest framework;
}
