import Testing

/// The whole product: real daemons, command lines and apps as processes, in homes of their own.
///
/// One after the other, because each keeps a machine busy, and some move its clock or fill its disk. A daemon that does
/// not answer fails the test that waits for it.
@Suite(.serialized, .timeLimit(.minutes(10))) struct EndToEndTests {}
