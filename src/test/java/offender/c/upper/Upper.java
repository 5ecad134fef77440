package offender.c.upper;

import offender.c.lower.Lower;

public final class Upper {

  Lower downwards = new Lower();
}
