#include "metrics.h"

#include <algorithm>

namespace routec::detail {
namespace {

void append_metric(std::string& out, std::string_view name, std::string_view type,
                   std::string_view help, std::uint64_t value) {
  out.append("# HELP ").append(name).append(" ").append(help).append("\n# TYPE ");
  out.append(name).append(" ").append(type).append("\n");
  out.append(name).append(" ").append(std::to_string(value)).append("\n");
}

void append_label(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append("=\"");
  for (char c : value) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  out += '"';
}

void append_routes(std::string& out, const ServerStats& stats) {
  out +=
      "# HELP routec_requests_total Requests answered, by route pattern and status class.\n"
      "# TYPE routec_requests_total counter\n";
  for (const ServerStats::Route& route : stats.routes) {
    out += "routec_requests_total{";
    append_label(out, "route", route.pattern);
    append_label(out += ',', "handler", route.name);
    append_label(out += ',', "code", std::to_string(route.status_class) + "xx");
    out.append("} ").append(std::to_string(route.requests)).append("\n");
  }
}

}  // namespace

Metrics::~Metrics() {
  for (const std::atomic<Block*>& block : blocks_) delete block.load(std::memory_order_relaxed);
}

Metrics::Route& Metrics::route_of(const Match& match) {
  const std::size_t index = match.index() % (kBlocks * kBlockRoutes);
  std::atomic<Block*>& slot = blocks_[index / kBlockRoutes];
  Block* block = slot.load(std::memory_order_relaxed);
  if (block == nullptr) {
    block = new Block;
    slot.store(block, std::memory_order_release);
  }
  return (*block)[index % kBlockRoutes];
}

void Metrics::count(const Match& match, int status) {
  Route& route = route_of(match);
  if (!route.used.load(std::memory_order_relaxed)) {
    route.pattern = match.pattern();
    route.name = match.name();
    route.used.store(true, std::memory_order_release);
  }
  route.counts[status_class(status)].add(1);
}

void Metrics::add_to(ServerStats& stats) const {
  stats.accepted += accepted.get();
  stats.open += accepted.get() - std::min(closed.get(), accepted.get());
  stats.requests += requests.get();
  stats.received += received.get();
  stats.sent += sent.get();
  stats.timeouts += timeouts.get();
  stats.dropped_records += dropped_records.get();
  const auto add = [&](std::string_view pattern, std::string_view name, const ByClass& counts) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i].get() == 0) continue;
      const int status_class = static_cast<int>(i);
      const auto same = [&](const ServerStats::Route& route) {
        return route.pattern == pattern && route.name == name && route.status_class == status_class;
      };
      auto found = std::find_if(stats.routes.begin(), stats.routes.end(), same);
      if (found == stats.routes.end())
        found = stats.routes.insert(found, {pattern, name, status_class, 0});
      found->requests += counts[i].get();
    }
  };
  add({}, {}, unmatched_);
  for (const std::atomic<Block*>& slot : blocks_) {
    const Block* const block = slot.load(std::memory_order_acquire);
    if (block == nullptr) continue;
    for (const Route& route : *block)
      if (route.used.load(std::memory_order_acquire)) add(route.pattern, route.name, route.counts);
  }
}

std::string prometheus_text(const ServerStats& stats) {
  std::string out;
  append_metric(out, "routec_connections_total", "counter", "Connections accepted.",
                stats.accepted);
  append_metric(out, "routec_connections_open", "gauge", "Connections open.", stats.open);
  append_metric(out, "routec_received_octets_total", "counter", "Octets received.", stats.received);
  append_metric(out, "routec_sent_octets_total", "counter", "Octets sent.", stats.sent);
  append_metric(out, "routec_timeouts_total", "counter", "Connections ended by a deadline.",
                stats.timeouts);
  append_metric(out, "routec_access_records_dropped_total", "counter",
                "Access records dropped because the log was slow.", stats.dropped_records);
  append_routes(out, stats);
  return out;
}

}  // namespace routec::detail
