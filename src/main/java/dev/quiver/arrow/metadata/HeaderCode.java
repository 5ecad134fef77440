package dev.quiver.arrow.metadata;

/// The members of the union `MessageHeader` of Message.fbs; the ordinal is the code.
enum HeaderCode {
  NONE,
  SCHEMA,
  DICTIONARY_BATCH,
  RECORD_BATCH,
  TENSOR,
  SPARSE_TENSOR
}
