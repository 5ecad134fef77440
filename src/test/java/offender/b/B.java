package offender.b;

import offender.a.A;

public final class B {

  A upwards;
}
