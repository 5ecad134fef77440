package offender.a;

import offender.Root;
import offender.b.B;

public final class A {

  B allowed = new B();
  Root root;
}
