package offender;

public final class Root {}
