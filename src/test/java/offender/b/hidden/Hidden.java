package offender.b.hidden;

public final class Hidden {}
