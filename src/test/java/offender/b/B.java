package offender.b;

import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.Semaphore;
import offender.a.A;
import org.apache.catalina.Valve;

public final class B {

  A upwards;
  HttpServletRequest framework;
  Valve tomcat;
  Semaphore queue;

  void tell() {
    framework.setAttribute("told", this);
  }
}
