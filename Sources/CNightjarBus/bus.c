#define _GNU_SOURCE
#include "CNightjarBus.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>

// The part of sd-bus that is used, declared here since its headers need not be installed.
typedef struct sd_bus sd_bus;
typedef struct sd_bus_message message;
typedef struct sd_bus_slot slot;
typedef struct sd_bus_error {
  const char *name, *text;
  int is_owned;
} sd_bus_error;
typedef int (*callback)(message *, void *, sd_bus_error *);

static struct {
  int (*bus_new)(sd_bus **);
  int (*set_address)(sd_bus *, const char *);
  int (*set_bus_client)(sd_bus *, int);
  int (*start)(sd_bus *);
  void (*close)(sd_bus *);
  sd_bus *(*unref)(sd_bus *);
  int (*get_fd)(sd_bus *);
  int (*get_events)(sd_bus *);
  int (*get_timeout)(sd_bus *, uint64_t *);
  int (*process)(sd_bus *, message **);
  int (*is_ready)(sd_bus *);
  int (*add_match)(sd_bus *, slot **, const char *, callback, callback, void *);
  int (*call_async)(sd_bus *, slot **, message *, callback, void *, uint64_t);
  int (*new_call)(sd_bus *, message **, const char *, const char *, const char *, const char *);
  int (*set_auto_start)(message *, int);
  int (*append)(message *, char, const void *);
  int (*open)(message *, char, const char *);
  int (*shut)(message *);
  message *(*message_unref)(message *);
  int (*is_error)(message *, const char *);
  const sd_bus_error *(*get_error)(message *);
  const char *(*get_path)(message *);
  const char *(*get_sender)(message *);
  int (*peek)(message *, char *, const char **);
  int (*read)(message *, char, void *);
  int (*skip)(message *, const char *);
  int (*enter)(message *, char, const char *);
  int (*leave)(message *);
} api;

static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool find(void *library, const char *name, void **function) {
  *function = dlsym(library, name);
  return *function != NULL;
}

static void load(void) {
  void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libelogind.so.0", RTLD_NOW | RTLD_LOCAL);  // The same calls, without systemd.
  if (!library) return;
  is_loaded = find(library, "sd_bus_new", (void **)&api.bus_new)
    && find(library, "sd_bus_set_address", (void **)&api.set_address)
    && find(library, "sd_bus_set_bus_client", (void **)&api.set_bus_client)
    && find(library, "sd_bus_start", (void **)&api.start)
    && find(library, "sd_bus_close", (void **)&api.close)
    && find(library, "sd_bus_unref", (void **)&api.unref)
    && find(library, "sd_bus_get_fd", (void **)&api.get_fd)
    && find(library, "sd_bus_get_events", (void **)&api.get_events)
    && find(library, "sd_bus_get_timeout", (void **)&api.get_timeout)
    && find(library, "sd_bus_process", (void **)&api.process)
    && find(library, "sd_bus_is_ready", (void **)&api.is_ready)
    && find(library, "sd_bus_add_match_async", (void **)&api.add_match)
    && find(library, "sd_bus_call_async", (void **)&api.call_async)
    && find(library, "sd_bus_message_new_method_call", (void **)&api.new_call)
    && find(library, "sd_bus_message_set_auto_start", (void **)&api.set_auto_start)
    && find(library, "sd_bus_message_append_basic", (void **)&api.append)
    && find(library, "sd_bus_message_open_container", (void **)&api.open)
    && find(library, "sd_bus_message_close_container", (void **)&api.shut)
    && find(library, "sd_bus_message_unref", (void **)&api.message_unref)
    && find(library, "sd_bus_message_is_method_error", (void **)&api.is_error)
    && find(library, "sd_bus_message_get_error", (void **)&api.get_error)
    && find(library, "sd_bus_message_get_path", (void **)&api.get_path)
    && find(library, "sd_bus_message_get_sender", (void **)&api.get_sender)
    && find(library, "sd_bus_message_peek_type", (void **)&api.peek)
    && find(library, "sd_bus_message_read_basic", (void **)&api.read)
    && find(library, "sd_bus_message_skip", (void **)&api.skip)
    && find(library, "sd_bus_message_enter_container", (void **)&api.enter)
    && find(library, "sd_bus_message_exit_container", (void **)&api.leave);
}

struct nightjar_bus {
  sd_bus *connection;
  nightjar_bus_handler handler;
  void *context;
};

// The bus whose nightjar_bus_process runs on this thread: the only place from which sd-bus calls back.
static _Thread_local struct nightjar_bus *current;

static int arrived(message *message, void *token, sd_bus_error *error) {
  (void)error;
  if (current) current->handler(current->context, (uintptr_t)token, message);
  return 0;
}

int nightjar_bus_open(const char *address, nightjar_bus_handler handler, void *context, struct nightjar_bus **bus) {
  pthread_once(&once, load);
  if (!is_loaded) return -ENOSYS;
  sd_bus *connection = NULL;
  int result = api.bus_new(&connection);
  if (result >= 0) result = api.set_address(connection, address);
  if (result >= 0) result = api.set_bus_client(connection, 1);
  if (result >= 0) result = api.start(connection);
  struct nightjar_bus *opened = result >= 0 ? malloc(sizeof *opened) : NULL;
  if (!opened) {
    if (connection) api.unref(connection);
    return result < 0 ? result : -ENOMEM;
  }
  *opened = (struct nightjar_bus){.connection = connection, .handler = handler, .context = context};
  *bus = opened;
  return 0;
}

void nightjar_bus_close(struct nightjar_bus *bus) {
  api.close(bus->connection);
  api.unref(bus->connection);
  free(bus);
}

int nightjar_bus_descriptor(struct nightjar_bus *bus) { return api.get_fd(bus->connection); }

uint32_t nightjar_bus_signs(struct nightjar_bus *bus) {
  int events = api.get_events(bus->connection);
  if (events < 0) return EPOLLIN;  // The connection is lost; processing says so.
  return ((events & POLLIN) ? EPOLLIN : 0) | ((events & POLLOUT) ? EPOLLOUT : 0);
}

uint64_t nightjar_bus_deadline(struct nightjar_bus *bus) {
  uint64_t deadline = UINT64_MAX;
  return api.get_timeout(bus->connection, &deadline) < 0 ? UINT64_MAX : deadline;
}

int nightjar_bus_process(struct nightjar_bus *bus) {
  current = bus;
  int result = api.process(bus->connection, NULL);
  current = NULL;
  return result;
}

bool nightjar_bus_stands(struct nightjar_bus *bus) { return api.is_ready(bus->connection) > 0; }

int nightjar_bus_match(struct nightjar_bus *bus, const char *rule, uint64_t token) {
  return api.add_match(bus->connection, NULL, rule, arrived, NULL, (void *)(uintptr_t)token);
}

int nightjar_bus_prepare(
  struct nightjar_bus *bus, const char *service, const char *path, const char *interface, const char *member,
  struct sd_bus_message **call
) {
  *call = NULL;
  int result = api.new_call(bus->connection, call, service, path, interface, member);
  return result < 0 ? result : api.set_auto_start(*call, 0);
}

int nightjar_call_text(message *call, const char *text) { return api.append(call, 's', text); }

int nightjar_call_number(message *call, char type, int64_t number) {
  union {
    uint8_t y;
    int b;
    int32_t i;
    uint32_t u;
    int64_t x;
  } raw;
  switch (type) {
    case 'y': raw.y = (uint8_t)number; break;
    case 'b': raw.b = number != 0; break;
    case 'i': raw.i = (int32_t)number; break;
    case 'u': raw.u = (uint32_t)number; break;
    case 'x': raw.x = number; break;
    default: return -EINVAL;
  }
  return api.append(call, type, &raw);
}

int nightjar_call_open(message *call, char type, const char *contents) { return api.open(call, type, contents); }
int nightjar_call_shut(message *call) { return api.shut(call); }
void nightjar_call_drop(message *call) { api.message_unref(call); }

int nightjar_bus_send(struct nightjar_bus *bus, message *call, uint64_t token, uint64_t microseconds_max) {
  int result = api.call_async(bus->connection, NULL, call, arrived, (void *)(uintptr_t)token, microseconds_max);
  api.message_unref(call);
  return result;
}

bool nightjar_message_failed(message *message) { return api.is_error(message, NULL) > 0; }

const char *nightjar_message_failure(message *message) {
  const sd_bus_error *error = api.get_error(message);
  if (!error) return NULL;
  return error->text ? error->text : error->name;
}

const char *nightjar_message_path(message *message) { return api.get_path(message); }
const char *nightjar_message_sender(message *message) { return api.get_sender(message); }

int nightjar_message_enter(message *message, char type, const char *contents) {
  return api.enter(message, type, contents);
}

int nightjar_message_leave(message *message) { return api.leave(message); }

int nightjar_message_enter_variant(message *message) {
  char type = 0;
  const char *contents = NULL;
  int result = api.peek(message, &type, &contents);
  if (result <= 0) return result;
  return type == 'v' ? api.enter(message, 'v', contents) : -EBADMSG;
}

// Every plain type of the specification, in a value of its own width.
static int read_plain(message *message, char type, struct nightjar_value *value) {
  union {
    uint8_t y;
    int b;
    int16_t n;
    uint16_t q;
    int32_t i;
    uint32_t u;
    int64_t x;
    uint64_t t;
    double d;
    const char *s;
  } raw;
  int result = api.read(message, type, &raw);
  if (result <= 0) return result;
  value->type = 'i';
  switch (type) {
    case 'y': value->number = raw.y; break;
    case 'n': value->number = raw.n; break;
    case 'q': value->number = raw.q; break;
    case 'i': value->number = raw.i; break;
    case 'u': value->number = raw.u; break;
    case 'x': value->number = raw.x; break;
    case 't': value->number = raw.t > INT64_MAX ? INT64_MAX : (int64_t)raw.t; break;
    case 'b': value->type = 'b'; value->truth = raw.b != 0; break;
    case 'd': value->type = 'd'; value->real = raw.d; break;
    default: value->type = 's'; value->text = raw.s; break;
  }
  return result;
}

int nightjar_message_read(message *message, struct nightjar_value *value) {
  *value = (struct nightjar_value){0};
  char type = 0;
  int result = api.peek(message, &type, NULL);
  if (result <= 0) return result;
  switch (type) {
    case 'y': case 'n': case 'q': case 'i': case 'u': case 'x': case 't': case 'b': case 'd': case 's': case 'o':
    case 'g':
      return read_plain(message, type, value);
    default:
      result = api.skip(message, NULL);
      return result < 0 ? result : 1;
  }
}
