package offender.c.upper;

final class Twice {}
