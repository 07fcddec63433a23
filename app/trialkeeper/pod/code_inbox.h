// SPDX-License-Identifier: GPL-3.0-or-later
// Code that is sent into a pod before its trial begins. An init container waits in one folder that both share (`receive`), and a second
// process in it, which the service starts through the cluster, unpacks what comes on its standard input (`unpack`):
//
//     INBOX/ready    a FIFO: a byte means that code/ may be there
//     INBOX/lock     held while something is unpacked
//     INBOX/part/    what is being unpacked
//     INBOX/code/    the code, whole
//
// Nothing of an image is needed, no shell, tar or gzip. An archive that breaks off leaves no code/, and can be sent again.
#pragma once

namespace trialkeeper {

/// Waits until the code is there: 0. SIGTERM ends it with 143, an hour without code with 1. Sentences go to standard error.
int receiveCode(const char* inbox);

/// Reads an uncompressed tar from standard input, up to its own end, so that the input need not be closed: 0 when the code is there, also where
/// it was before. A dot on standard output for each 256 KiB says that it goes on. 75: another one is at it. 1: it cannot be unpacked; a sentence is on standard error.
int unpackCode(const char* inbox);

} // namespace trialkeeper
