package offender.b;

import jakarta.servlet.http.HttpServletRequest;
import offender.a.A;
import org.apache.catalina.Valve;

public final class B {

  A upwards;
  HttpServletRequest framework;
  Valve tomcat;
}
