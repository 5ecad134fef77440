package offender.c.lower;

final class Twice {}
