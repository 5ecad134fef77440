/// The IPC protocol: the framing of messages, their bodies with compressed buffers, streams, and
/// files of any layout with their footers.
///
/// ```
/// Stream  → Message(Schema) Message* EOS?       EOS → FFFFFFFF 00000000
/// Message → FFFFFFFF metadataLength:int32 metadata padding body
/// File    → "ARROW1" 0000 Stream Footer footerLength:int32 "ARROW1"
/// ```
@NullMarked
package dev.quiver.arrow.ipc;

import org.jspecify.annotations.NullMarked;
