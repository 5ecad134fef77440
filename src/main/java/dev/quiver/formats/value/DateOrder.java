package dev.quiver.formats.value;

/// The first part of dates of three numbers whose year is the last one, such as `01/02/2024`.
public enum DateOrder {
  DAY_FIRST,
  MONTH_FIRST
}
