import Testing

/// The whole product: real daemons, command lines and apps as processes, in homes of their own.
///
/// One after the other, because each keeps a machine busy, and some move its clock or fill its disk.
@Suite(.serialized) struct EndToEndTests {}
