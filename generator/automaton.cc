// Construction of automata: from expressions (Thompson, then subsets), products, minimization.
#include <algorithm>
#include <bitset>
#include <deque>
#include <functional>
#include <map>
#include <numeric>

#include "language.h"

namespace routec::compiler {
namespace {

using Octets = std::bitset<256>;
using States = std::vector<std::uint32_t>;  // sorted

// Steps a construction may take before it is given up as too large.
constexpr std::size_t kMaxWork = 20'000'000;

struct Nfa {
  struct State {
    Octets octets;  // leads to `next`
    std::uint32_t next = 0;
    std::vector<std::uint32_t> jumps;  // without reading
  };
  std::vector<State> states;

  std::uint32_t add() {
    states.emplace_back();
    return static_cast<std::uint32_t>(states.size() - 1);
  }
  void jump(std::uint32_t from, std::uint32_t to) { states[from].jumps.push_back(to); }

  // Builds `regex` from state `from` on; returns the state after it.
  std::uint32_t build(const Regex& regex, std::uint32_t from) {
    switch (regex.kind) {
      case Regex::Kind::kOctet:
        return octet(regex.octets, from);
      case Regex::Kind::kConcat:
        for (const Regex& part : regex.parts) from = build(part, from);
        return from;
      case Regex::Kind::kChoice:
        return choice(regex, from);
      case Regex::Kind::kRepeat:
        return repeat(regex, from);
    }
    return from;
  }

  std::uint32_t octet(const Octets& octets, std::uint32_t from) {
    const std::uint32_t start = add(), end = add();
    jump(from, start);
    states[start].octets = octets;
    states[start].next = end;
    return end;
  }

  std::uint32_t choice(const Regex& regex, std::uint32_t from) {
    const std::uint32_t end = add();
    for (const Regex& part : regex.parts) {
      const std::uint32_t start = add();
      jump(from, start);
      jump(build(part, start), end);
    }
    return end;
  }

  std::uint32_t repeat(const Regex& regex, std::uint32_t from) {
    for (std::size_t i = 0; i < regex.min; ++i) from = build(regex.parts[0], from);
    const std::uint32_t end = add();
    if (regex.max == Regex::kUnbounded) {
      const std::uint32_t loop = add();
      jump(from, loop);
      jump(build(regex.parts[0], loop), loop);
      jump(loop, end);
      return end;
    }
    for (std::size_t i = regex.min; i < regex.max; ++i) {
      jump(from, end);
      from = build(regex.parts[0], from);
    }
    jump(from, end);
    return end;
  }

  void close(States& set) const {
    std::vector<bool> seen(states.size());
    States todo = set;
    set.clear();
    while (!todo.empty()) {
      const std::uint32_t state = todo.back();
      todo.pop_back();
      if (seen[state]) continue;
      seen[state] = true;
      set.push_back(state);
      todo.insert(todo.end(), states[state].jumps.begin(), states[state].jumps.end());
    }
    std::sort(set.begin(), set.end());
  }
};

// Octets that no part of an automaton tells apart share a class.
std::size_t classify(const std::vector<Octets>& sets, std::array<std::uint8_t, 256>& classes) {
  std::map<std::vector<bool>, std::uint8_t> numbers;
  for (std::size_t octet = 0; octet < 256; ++octet) {
    std::vector<bool> signature;
    for (const Octets& set : sets) signature.push_back(set[octet]);
    classes[octet] = numbers.emplace(signature, numbers.size()).first->second;
  }
  return numbers.size();
}

std::vector<Octets> distinct_sets(const Nfa& nfa) {
  std::vector<Octets> sets;
  std::map<std::string, bool> seen;
  for (const Nfa::State& state : nfa.states)
    if (state.octets.any() && seen.emplace(state.octets.to_string(), true).second)
      sets.push_back(state.octets);
  return sets;
}

std::vector<unsigned char> representatives(const Automaton& automaton) {
  std::vector<unsigned char> octets(automaton.width);
  for (unsigned octet = 256; octet-- > 0;)
    octets[automaton.classes[octet]] = static_cast<unsigned char>(octet);
  return octets;
}

// Explores the states that `Key`s name, from `start` on; `step(key, octet)` gives the next key,
// `accept(key)` its accept number. The empty key is the dead state.
template <typename Key, typename Step, typename Accept>
bool explore(const Key& start, Automaton& out, Step step, Accept accept) {
  const std::vector<unsigned char> octets = representatives(out);
  std::map<Key, std::uint32_t> numbers{{Key{}, 0}};
  std::deque<const Key*> todo{&numbers.begin()->first};
  const auto [first, is_new] = numbers.emplace(start, 1);
  if (is_new) todo.push_back(&first->first);
  std::size_t work = 0;
  for (; !todo.empty(); todo.pop_front()) {
    const Key& key = *todo.front();
    out.accept.push_back(accept(key));
    for (const unsigned char octet : octets) {
      Key next = step(key, octet);
      work += next.size() + 1;
      const auto [place, added] = numbers.emplace(std::move(next), numbers.size());
      if (added) todo.push_back(&place->first);
      out.next.push_back(place->second);
    }
    if (numbers.size() > kMaxStates || work > kMaxWork) return false;
  }
  return true;
}

// Moore's refinement: states stay together while their accept numbers and all steps agree.
std::vector<std::uint32_t> equivalence(const Automaton& automaton) {
  const std::size_t count = automaton.accept.size();
  std::vector<std::uint32_t> block = automaton.accept;
  for (std::size_t blocks = 0;;) {
    std::map<std::vector<std::uint32_t>, std::uint32_t> numbers;
    std::vector<std::uint32_t> refined(count);
    for (std::size_t state = 0; state < count; ++state) {
      std::vector<std::uint32_t> signature{block[state]};
      for (std::size_t c = 0; c < automaton.width; ++c)
        signature.push_back(block[automaton.next[state * automaton.width + c]]);
      refined[state] =
          numbers.emplace(std::move(signature), static_cast<std::uint32_t>(numbers.size()))
              .first->second;
    }
    block = std::move(refined);
    if (numbers.size() == blocks) return block;
    blocks = numbers.size();
  }
}

// Classes whose columns agree become one; numbered by their first octet.
void merge_classes(Automaton& automaton) {
  const std::size_t count = automaton.accept.size();
  std::map<std::vector<std::uint32_t>, std::uint8_t> numbers;
  std::vector<std::vector<std::uint32_t>> columns;
  std::array<std::uint8_t, 256> classes{};
  for (std::size_t octet = 0; octet < 256; ++octet) {
    std::vector<std::uint32_t> column;
    for (std::size_t state = 0; state < count; ++state)
      column.push_back(
          automaton.step(static_cast<std::uint32_t>(state), static_cast<unsigned char>(octet)));
    const auto [place, added] = numbers.emplace(column, numbers.size());
    if (added) columns.push_back(std::move(column));
    classes[octet] = place->second;
  }
  automaton.classes = classes;
  automaton.width = columns.size();
  automaton.next.assign(count * columns.size(), 0);
  for (std::size_t state = 0; state < count; ++state)
    for (std::size_t c = 0; c < columns.size(); ++c)
      automaton.next[state * columns.size() + c] = columns[c][state];
}

Automaton minimized(const Automaton& automaton) {
  const std::vector<std::uint32_t> block = equivalence(automaton);
  // One member of each block stands for it; the start's and the dead one's may be the same.
  std::map<std::uint32_t, std::uint32_t> member;
  for (std::uint32_t state = 0; state < block.size(); ++state) member.emplace(block[state], state);
  Automaton out;
  out.classes = automaton.classes;
  out.width = automaton.width;
  if (automaton.accept.size() < 2 || block[1] == block[0]) {
    out.next.assign(out.width, 0);
    out.accept = {0};
  } else {
    using Key = std::vector<std::uint32_t>;  // empty, or the block
    const std::uint32_t dead = block[0];
    explore(
        Key{block[1]}, out,
        [&](const Key& key, unsigned char octet) {
          if (key.empty()) return Key{};
          const std::uint32_t next = block[automaton.step(member.at(key[0]), octet)];
          return next == dead ? Key{} : Key{next};
        },
        [&](const Key& key) { return key.empty() ? 0u : automaton.accept[member.at(key[0])]; });
  }
  merge_classes(out);
  return out;
}

}  // namespace

std::uint32_t Automaton::run(std::string_view text) const {
  if (is_empty()) return 0;
  std::uint32_t state = 1;
  for (const char c : text) state = step(state, static_cast<unsigned char>(c));
  return accept[state];
}

std::optional<Automaton> automaton_of(const Regex& regex) {
  Nfa nfa;
  const std::uint32_t start = nfa.add(), end = nfa.build(regex, start);
  Automaton out;
  out.width = classify(distinct_sets(nfa), out.classes);
  States first{start};
  nfa.close(first);
  const auto step = [&](const States& set, unsigned char octet) {
    States next;
    for (const std::uint32_t state : set)
      if (nfa.states[state].octets[octet]) next.push_back(nfa.states[state].next);
    if (!next.empty()) nfa.close(next);
    return next;
  };
  const auto accept = [&](const States& set) {
    return std::binary_search(set.begin(), set.end(), end) ? 1u : 0u;
  };
  if (!explore(first, out, step, accept)) return std::nullopt;
  return minimized(out);
}

std::optional<Combined> combine(const std::vector<const Automaton*>& parts) {
  Combined out;
  std::vector<Octets> sets;
  for (const Automaton* part : parts)
    for (std::size_t c = 0; c < part->width; ++c) {
      sets.emplace_back();
      for (std::size_t octet = 0; octet < 256; ++octet)
        if (part->classes[octet] == c) sets.back().set(octet);
    }
  Automaton joint;
  joint.width = classify(sets, joint.classes);
  const auto step = [&](const States& key, unsigned char octet) {
    States next;
    for (std::size_t i = 0; i < key.size(); ++i)
      next.push_back(key[i] == 0 ? 0 : parts[i]->step(key[i], octet));
    const bool dead = std::all_of(next.begin(), next.end(), [](std::uint32_t s) { return s == 0; });
    return dead ? States{} : next;
  };
  const auto accept = [&](const States& key) {
    std::vector<std::size_t> who;
    for (std::size_t i = 0; i < key.size(); ++i)
      if (parts[i]->accept[key[i]] != 0) who.push_back(i);
    if (who.empty()) return 0u;
    const auto known = std::find(out.accepted_by.begin(), out.accepted_by.end(), who);
    if (known != out.accepted_by.end())
      return static_cast<std::uint32_t>(known - out.accepted_by.begin() + 1);
    out.accepted_by.push_back(std::move(who));
    return static_cast<std::uint32_t>(out.accepted_by.size());
  };
  States start;
  for (const Automaton* part : parts) start.push_back(part->is_empty() ? 0 : 1);
  if (!explore(start, joint, step, accept)) return std::nullopt;
  out.automaton = minimized(joint);
  return out;
}

Automaton without_dots(const Automaton& automaton) {
  if (automaton.run(".") == 0 && automaton.run("..") == 0) return automaton;
  Regex dots;
  dots.kind = Regex::Kind::kChoice;
  dots.parts = {regex_of_text("."), regex_of_text("..")};
  const std::optional<Automaton> second = automaton_of(dots);
  std::optional<Combined> both = combine({&automaton, &*second});
  for (std::uint32_t& number : both->automaton.accept)
    number = number != 0 && both->accepted_by[number - 1] == std::vector<std::size_t>{0} ? 1 : 0;
  return minimized(both->automaton);
}

}  // namespace routec::compiler
