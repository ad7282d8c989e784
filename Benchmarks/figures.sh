# How each figure is made; read by Benchmarks/measure.

median() { sort -n | awk '{ v[NR] = $1 } END { print (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
shortest() { sort -n "$memory/$figure.$1.wall" | head -1; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.2f", a / b; else printf "-" }'; }
now() { date +%s.%N; }
less() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f\n", b - a }'; }
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
# User and system time of a process so far, in seconds (proc(5), fields 14 and 15).
cpu_of() { awk -v hz="$(getconf CLK_TCK)" '{ print ($14 + $15) / hz }' "/proc/$1/stat"; }
peak_of() { awk '/^VmHWM/ { printf "%.0f", $2 / 1024 }' "/proc/$1/status"; }

start_daemon() {
  rm -f "$NIGHTJAR_HOME/run/nightjar.sock"
  "$bin/nightjard" --log-level warning &
  daemon=$!
  pids+=("$daemon")
  until "$bin/nightjar" status >/dev/null 2>&1; do kill -0 "$daemon"; done
}

stop_daemon() {
  kill "$daemon"
  wait "$daemon" || true
}

# One worker, the files in memory: plain on $port, TLS 1.3 on $tls_port, HTTP/2 over TLS on $http2_port.
start_server() {
  mkdir -p "$memory/www"
  [ -e "$memory/certificate.pem" ] || openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 \
    -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 \
    -keyout "$memory/key.pem" -out "$memory/certificate.pem" 2>/dev/null
  port=$(free_port) tls_port=$(free_port) http2_port=$(free_port)
  cat >"$memory/nginx.conf" <<CONF
$([ "$(id -u)" != 0 ] || echo "user root;")
daemon off; worker_processes 1; pid $memory/nginx.pid; error_log $memory/nginx.log;
events { worker_connections 256; }
http {
  access_log off; sendfile on; keepalive_requests 100000;
  ssl_certificate $memory/certificate.pem; ssl_certificate_key $memory/key.pem; ssl_protocols TLSv1.3;
  server { listen 127.0.0.1:$port; root $memory/www; }
  server { listen 127.0.0.1:$tls_port ssl; root $memory/www; }
  server { listen 127.0.0.1:$http2_port ssl http2; root $memory/www; }
}
CONF
  /usr/sbin/nginx -c "$memory/nginx.conf" 2>/dev/null &
  server=$!
  pids+=("$server")
  curl -s -o /dev/null --retry 20 --retry-connrefused --retry-delay 1 "http://127.0.0.1:$port/"
}

stop_server() {
  kill "$server"
  wait "$server" || true
  rm -rf "$memory/www"
}

# Runs a peer once, and keeps its wall and CPU time.
time_peer() {
  local name=$1
  shift
  rm -rf "$work/out" && mkdir "$work/out"
  local TIMEFORMAT='%R %U %S'
  { time "$@" >/dev/null; } 2>"$memory/time"
  tail -1 "$memory/time" | awk '{ print $1 }' >>"$memory/$figure.$name.wall"
  tail -1 "$memory/time" | awk '{ print $2 + $3 }' >>"$memory/$figure.$name.cpu"
}

# Runs a command that has the daemon work, and keeps its wall time and the daemon's CPU time.
time_nightjar() {
  rm -rf "$work/out" && mkdir "$work/out"
  local cpu start end
  cpu=$(cpu_of "$daemon") start=$(now)
  "$@" >/dev/null
  end=$(now)
  less "$start" "$end" >>"$memory/$figure.nightjar.wall"
  less "$cpu" "$(cpu_of "$daemon")" >>"$memory/$figure.nightjar.cpu"
}

# A line for each client, with ratios to the first; the last is that of the shortest runs, which a busy machine spoils least.
print_table() {
  local base=$1 wall cpu
  printf '%-12s %9s %9s %12s %12s %12s\n' client wall cpu "wall/$base" "cpu/$base" "best/$base"
  for client in "$@"; do
    wall=$(median <"$memory/$figure.$client.wall") cpu=$(median <"$memory/$figure.$client.cpu")
    printf '%-12s %8.3fs %8.3fs %12s %12s %12s\n' "$client" "$wall" "$cpu" \
      "$(ratio "$wall" "$(median <"$memory/$figure.$base.wall")")" \
      "$(ratio "$cpu" "$(median <"$memory/$figure.$base.cpu")")" \
      "$(ratio "$(shortest "$client")" "$(shortest "$base")")"
  done
}

one_file() {
  local url client peers=(curl aria2 wget2) http=--http1.1 wget2=--no-http2
  start_server
  case $figure in
  http | http-disk) url=http://127.0.0.1:$port/file peers=(curl aria2 wget2 foundation floor) ;;
  tls | tls-disk) url=https://127.0.0.1:$tls_port/file ;;
  http2 | http2-disk) url=https://127.0.0.1:$http2_port/file peers=(curl wget2) http=--http2 wget2=--http2 ;;
  esac
  head -c "${size_mib}M" /dev/urandom >"$memory/www/file"
  start_daemon
  peers+=(nightjar)
  for _ in $(seq "$runs"); do
    for client in $(shuf -e "${peers[@]}"); do fetch_file "$client"; done
  done
  echo
  echo "$figure: one file of $size_mib MiB, medians of $runs, their order left to chance"
  print_table "${peers[@]}"
  echo "nightjard: peak $(peak_of "$daemon") MiB resident; wall from the command's start to its end, delivery included"
  stop_daemon
  stop_server
}

# One client fetches the file; in which order they do is left to chance. In memory each finds as much of it freed right
# before: a virtual machine gives free memory back to its host after a while, and to have it back costs more than all else.
fetch_file() {
  if [ "$work" = "$memory" ]; then
    rm -rf "$work/out" && mkdir "$work/out"
    head -c "${size_mib}M" /dev/zero >"$work/out/freed"
  fi
  case $1 in
  curl) time_peer curl curl -s "$http" --cacert "$memory/certificate.pem" -o "$work/out/file" "$url" ;;
  aria2)
    time_peer aria2 aria2c -q -x1 --file-allocation=none --ca-certificate="$memory/certificate.pem" \
      -d "$work/out" -o file "$url"
    ;;
  wget2)
    time_peer wget2 wget2 -q "$wget2" --ca-certificate="$memory/certificate.pem" -O "$work/out/file" "$url"
    ;;
  foundation) TMPDIR=$work/out time_peer foundation "$bin/foundation-bench" "$url" "$work/out/file" ;;
  floor) time_peer floor "$bin/floor-bench" "$port" "$work/out/file" ;;
  nightjar)
    time_nightjar "$bin/nightjar" download "$url" -o "$work/out/file"
    cmp "$memory/www/file" "$work/out/file"
    ;;
  esac
}

many() {
  local client count=${COUNT:-2000}
  start_server
  for number in $(seq "$count"); do head -c 16384 /dev/urandom >"$memory/www/$number"; done
  seq -f "http://127.0.0.1:$port/%g" "$count" >"$memory/list"
  sed 's|.*/\(.*\)|url = "&"\noutput = "'"$work"'/out/\1"|' "$memory/list" >"$memory/curlrc"
  start_daemon
  for _ in $(seq "$runs"); do
    for client in $(shuf -e aria2 curl wget2 nightjar); do fetch_files "$client"; done
  done
  [ "$(cat "$memory"/www/* | sha256sum)" = "$(cd "$work/out" && cat $(ls "$memory/www") | sha256sum)" ]
  echo
  echo "$figure: $count files of 16 KiB, each a task of its own, medians of $runs, their order left to chance"
  print_table aria2 curl wget2 nightjar
  echo "nightjard: peak $(peak_of "$daemon") MiB resident; wall from the program's start until all were told"
  stop_daemon
  stop_server
}

# One client fetches all of them.
fetch_files() {
  case $1 in
  aria2) time_peer aria2 aria2c -q -i "$memory/list" -j16 -d "$work/out" ;;
  curl) time_peer curl curl -s -Z --parallel-max 16 -K "$memory/curlrc" ;;
  wget2) time_peer wget2 wget2 -q --max-threads=16 -i "$memory/list" -P "$work/out" ;;
  nightjar) time_nightjar "$bin/files-bench" many --list "$memory/list" --into "$work/out" ;;
  esac
}

# On a real disk, since it is the syncing that is measured; each run in a home of its own.
queue() {
  python3 -c '
import socket
server = socket.socket(); server.bind(("127.0.0.1", 0)); server.listen(64)
print(server.getsockname()[1], flush=True)
held = []
while True: held.append(server.accept())
' >"$memory/silent.port" &
  pids+=("$!")
  until [ -s "$memory/silent.port" ]; do :; done
  for _ in $(seq "$runs"); do queue_once; done
  echo
  echo "queue: ${COUNT:-100000} tasks, medians of $runs"
  echo "accepted and durable: $(median <"$memory/queue.rate") a second"
  echo "killed with all of them waiting: the next daemon serves after $(median <"$memory/queue.restart") s"
  echo "nightjard: peak $(median <"$memory/queue.accepting") MiB resident while it accepted them," \
    "$(median <"$memory/queue.serving") MiB afterwards"
}

queue_once() {
  local start
  start_daemon
  "$bin/queue-bench" --socket "$NIGHTJAR_HOME/run/nightjar.sock" --count "${COUNT:-100000}" \
    --url "http://127.0.0.1:$(cat "$memory/silent.port")" |
    awk '/^accepted/ { print $(NF - 2) } /^refused/ { print >"/dev/stderr" }' >>"$memory/queue.rate"
  peak_of "$daemon" >>"$memory/queue.accepting" && echo >>"$memory/queue.accepting"
  kill -9 "$daemon"
  wait "$daemon" 2>/dev/null || true
  start=$(now)
  start_daemon
  less "$start" "$(now)" >>"$memory/queue.restart"
  peak_of "$daemon" >>"$memory/queue.serving" && echo >>"$memory/queue.serving"
  stop_daemon
  rm -rf "$NIGHTJAR_HOME"
}

delay() {
  start_daemon
  echo
  "$bin/files-bench" delay --count "${COUNT:-500}"
  stop_daemon
}

# Context switches that the daemon's threads made of their own accord: each is a wake-up.
switches() { cat "/proc/$daemon"/task/*/status | awk '/^voluntary_ctxt_switches/ { n += $2 } END { print n }'; }

idle() {
  local before
  start_daemon
  sleep 10
  before=$(switches)
  sleep 60
  echo
  echo "idle: $(($(switches) - before)) wake-ups in 60 s, $(awk '/^VmRSS/ { print $2 / 1024 }' "/proc/$daemon/status") MiB" \
    "resident, peak $(peak_of "$daemon") MiB"
  stop_daemon
}

# Launched, frozen, thawed: see Benchmarks/life.py. On a disk in memory, so that it is not the disk that is measured.
life() {
  start_daemon
  echo
  python3 Benchmarks/life.py "$bin/life-app" "$bin/bare-bench" "$figure" "${COUNT:-200}"
  stop_daemon
}

# 200 apps, 50 of them suspended, and nothing to do.
crowd() {
  local before
  start_daemon
  echo
  python3 Benchmarks/life.py "$bin/life-app" "$bin/bare-bench" crowd "${COUNT:-50}"
  sleep 10
  before=$(switches)
  sleep 60
  echo "crowd: $(($(switches) - before)) wake-ups in 60 s," \
    "$(awk '/^VmRSS/ { print $2 / 1024 }' "/proc/$daemon/status") MiB resident, peak $(peak_of "$daemon") MiB"
  stop_daemon
}
