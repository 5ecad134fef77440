/// Messages, streams and files: the IPC protocol. [dev.quiver.ipc.MessageReader] reads messages as
/// they arrive, [dev.quiver.ipc.FileReader] by a file's footer; [dev.quiver.ipc.StreamWriter] and
/// [dev.quiver.ipc.FileWriter] write.
///
/// ```
/// Stream  → Message(Schema) Message* EOS?       EOS → FFFFFFFF 00000000
/// Message → FFFFFFFF metadataLength:int32 metadata padding body
/// File    → "ARROW1" 0000 Stream Footer footerLength:int32 "ARROW1"
/// ```
@NullMarked
package dev.quiver.ipc;

import org.jspecify.annotations.NullMarked;
