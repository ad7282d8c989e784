// A D-Bus connection by libsystemd's sd-bus(3). The library is loaded at run time: where it is missing there is no bus,
// and nothing of it is needed to build. A connection and its messages belong to one thread, and no call here waits.
//
// Results are 0 or more, or a negative errno.
#ifndef CNIGHTJARBUS_H
#define CNIGHTJARBUS_H

#include <stdbool.h>
#include <stdint.h>

struct nightjar_bus;
struct sd_bus_message;

// Called from within nightjar_bus_process with what arrived under a token: an answer, or a signal. The message lives as
// long as the call.
typedef void (*nightjar_bus_handler)(void *context, uint64_t token, struct sd_bus_message *message);

// Begins to connect to the bus at an address such as "unix:path=/run/dbus/system_bus_socket".
// -ENOSYS where there is no libsystemd.
int nightjar_bus_open(const char *address, nightjar_bus_handler handler, void *context, struct nightjar_bus **bus);
void nightjar_bus_close(struct nightjar_bus *bus);

// What to wait for: the descriptor, the signs (epoll(7)), and the moment on CLOCK_MONOTONIC in microseconds at which to
// process in any case, UINT64_MAX for never.
int nightjar_bus_descriptor(struct nightjar_bus *bus);
uint32_t nightjar_bus_signs(struct nightjar_bus *bus);
uint64_t nightjar_bus_deadline(struct nightjar_bus *bus);

// Handles one thing that arrived, or sends what could not be sent before. 0 when there is nothing more; a negative
// errno when the connection is lost.
int nightjar_bus_process(struct nightjar_bus *bus);

// Whether the bus itself has answered, and the connection stands.
bool nightjar_bus_stands(struct nightjar_bus *bus);

// Has signals of a match rule handed to the handler under a token, for as long as the connection lasts.
int nightjar_bus_match(struct nightjar_bus *bus, const char *rule, uint64_t token);

// Prepares to call a method: its arguments are appended in their order, then it is sent, or dropped. No service is
// started for it. Whatever this returns, a call that is not NULL has to be sent or dropped.
int nightjar_bus_prepare(
  struct nightjar_bus *bus, const char *service, const char *path, const char *interface, const char *member,
  struct sd_bus_message **call);
int nightjar_call_text(struct sd_bus_message *call, const char *text);
// A number of type 'y', 'b', 'i', 'u' or 'x', cut to its width.
int nightjar_call_number(struct sd_bus_message *call, char type, int64_t number);
// Begins and ends a container: 'a', 'e', 'r' or 'v', with what it contains.
int nightjar_call_open(struct sd_bus_message *call, char type, const char *contents);
int nightjar_call_shut(struct sd_bus_message *call);
void nightjar_call_drop(struct sd_bus_message *call);

// Sends a call, and frees it. Its answer, or the error that it failed with, arrives under the token; a timeout is an
// error.
int nightjar_bus_send(struct nightjar_bus *bus, struct sd_bus_message *call, uint64_t token, uint64_t microseconds_max);

// Whether a call's answer is an error.
bool nightjar_message_failed(struct sd_bus_message *message);
// The error's text, or its name if it has none; NULL if there is no error.
const char *nightjar_message_failure(struct sd_bus_message *message);
// The object that a signal came from; NULL for an answer.
const char *nightjar_message_path(struct sd_bus_message *message);
// The unique name of the connection that a message came from; NULL if that is unknown.
const char *nightjar_message_sender(struct sd_bus_message *message);

// A plain value: `type` is 'b', 'i' for whole numbers of any width, 'd', 's' for text of any kind, or 0 for anything
// else.
struct nightjar_value {
  char type;
  bool truth;
  int64_t number;
  double real;
  const char *text;  // lives as long as the message
};

// Reads the next value, or steps over one that is not plain. 1, or 0 at the end of the surrounding container.
int nightjar_message_read(struct sd_bus_message *message, struct nightjar_value *value);
// Goes into a container and out of it again: 'a', 'e', 'r' or 'v', with what it has to contain. 1, or 0 at the end.
int nightjar_message_enter(struct sd_bus_message *message, char type, const char *contents);
int nightjar_message_leave(struct sd_bus_message *message);
// Goes into a variant, whatever it contains.
int nightjar_message_enter_variant(struct sd_bus_message *message);

#endif
