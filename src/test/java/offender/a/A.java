package offender.a;

import offender.Root;
import offender.b.B;
import offender.b.hidden.Hidden;

public final class A {

  B allowed = new B();
  Hidden inner = new Hidden();
  Root root;
}
