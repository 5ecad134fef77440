package offender.c.lower;

import offender.c.upper.Upper;

public final class Lower {

  Upper cycle;
}
