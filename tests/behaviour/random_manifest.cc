#include "random_manifest.h"

#include <cstddef>
#include <string_view>

namespace routec::test {
namespace {

using Path = std::vector<std::string>;  // segments in the syntax of manifests

// Stands for the name of a parameter until the whole path is known.
constexpr char kName = '\x01';

// Around the words and blocks that matchers read at once.
constexpr std::size_t kSizes[] = {1,  1,  1,  2,  3,  6,  7,  8,  9,  10, 15, 16,
                                  17, 18, 23, 24, 25, 31, 32, 33, 40, 63, 64, 65};

constexpr std::string_view kOddWords[] = {"new",
                                          "0",
                                          "7",
                                          "-1",
                                          "007",
                                          "true",
                                          "false",
                                          "abc",
                                          "red",
                                          "2024-02-29",
                                          "..a",
                                          "...",
                                          ".well-known",
                                          "*",
                                          "~",
                                          "a+b",
                                          "%2F",
                                          "a%2Fb",
                                          "%2f%2F",
                                          "%25",
                                          "%2541",
                                          "%3F",
                                          "x%3Fy",
                                          "%23",
                                          "%23%23",
                                          "%20",
                                          "a%20b",
                                          "%C3%A9",
                                          "caf\xc3\xa9",
                                          "\xe2\x82\xac",
                                          "%FF",
                                          "{{",
                                          "}}",
                                          "{{x}}",
                                          "a:b",
                                          ";",
                                          "=",
                                          "@",
                                          "!$&''()",
                                          "0123456789abcdef",
                                          "9223372036854775808",
                                          "018f4b9e-7c1d-4a52-b9a0-0123456789ab"};

constexpr std::string_view kTypes[] = {"int",
                                       "uint",
                                       "uuid",
                                       "date",
                                       "hex",
                                       "slug",
                                       "bool",
                                       "enum(red,green,blue)",
                                       "enum(a,b)",
                                       "enum(7,-1,abc)",
                                       "enum(%2F,%25,a%3Fb)",
                                       "enum(new)"};

constexpr std::string_view kRegexAtoms[] = {
    "a",     "b",    "ab",    "0", "-",      "/", "\\.", "[ab0]", "\\d", "\\w",
    "[a-f]", "[^a]", "[^/-]", ".", "\\d{2}", "%", "\\?", "#",     "new", "[0-9a-f]"};

constexpr std::string_view kMethodLists[][6] = {
    {"GET", "GET", "GET", "GET", "GET", "GET"},
    {"GET", "POST", "GET,POST", "PUT", "DELETE", "GET"},
    {"GET", "HEAD", "ANY", "OPTIONS", "POST", "GET,HEAD"},
    {"ANY", "ANY", "GET", "PURGE", "M-SEARCH", "ANY"},
    {"PURGE", "GET", "PURGE,GET", "!#$%&*", "OPTIONS", "HEAD"},
    {"HEAD", "PATCH", "TRACE", "CONNECT", "DELETE", "ANY"},
};

constexpr std::string_view kBetween[] = {"-", ".", "...", ":", "a", "ab", "-a-", "%2F", "%25", ","};

class Drawer {
 public:
  explicit Drawer(Random& random) : random_(random), methods_(random.pick(kMethodLists)) {
    draw_words();
    draw_types();
    typed_ = random_.below(40);
    affixed_ = random_.below(40);
  }

  ManifestDraft draw() {
    static constexpr std::string_view kModes[] = {"strict", "strict", "redirect", "both"};
    draft_.head = "routec: 1\noptions: { slash: " + std::string(random_.pick(kModes)) + " }\n";
    if (!definitions_.empty()) draft_.head += "types:\n" + definitions_;
    draft_.head += "routes:\n";
    draw_routes();
    return std::move(draft_);
  }

 private:
  // ---- What paths are made of ----

  void draw_words() {
    std::string base;
    const std::string_view letters = random_.percent(50) ? "ab" : "abcdefgh0123-";
    while (base.size() < 70) base += random_.pick(letters);
    for (std::size_t i = random_.between(3, 10); i != 0; --i) {
      std::string word = base.substr(0, random_.pick(kSizes));
      if (random_.percent(50)) word[place_in(word.size())] = random_.pick(letters);
      words_.push_back(std::move(word));
    }
    for (std::size_t i = random_.below(4); i != 0; --i)
      words_.emplace_back(random_.pick(kOddWords));
  }

  // Prefers the edges of eight and sixteen octets.
  std::size_t place_in(std::size_t size) {
    const std::size_t edges[] = {0,
                                 7,
                                 8,
                                 size - 1,
                                 size / 2,
                                 size > 8 ? size - 8 : 0,
                                 size > 9 ? size - 9 : 0,
                                 random_.below(size)};
    const std::size_t place = random_.pick(edges);
    return place < size ? place : size - 1;
  }

  void draw_types() {
    for (std::size_t i = random_.between(1, 3); i != 0; --i)
      types_.push_back(":" + std::string(random_.pick(kTypes)));
    for (std::size_t i = random_.below(3); i != 0; --i) {
      const std::string name = "t" + std::to_string(i);
      types_.push_back(":" + name);
      definitions_ += "  " + name + ": { pattern: '" + regex(3) + "' }\n";
    }
  }

  std::string regex(std::size_t depth) {
    if (depth == 0 || random_.percent(20)) return std::string(random_.pick(kRegexAtoms));
    const std::string part = regex(depth - 1);
    static constexpr std::string_view kRepeats[] = {"*", "+", "?", "{1,3}", "{2}", "{0,2}"};
    switch (random_.below(4)) {
      case 0:
        return "(" + part + ")" + std::string(random_.pick(kRepeats));
      case 1:
        return "(" + part + "|" + regex(depth - 1) + ")";
      default:
        return part + regex(depth - 1);
    }
  }

  std::string param() {
    const bool typed = random_.percent(typed_);
    return std::string("{") + kName + (typed ? random_.pick(types_) : "") + "}";
  }

  std::string word() { return random_.pick(words_); }

  std::string segment() {
    if (random_.percent(affixed_)) return affixed_segment();
    return random_.percent(60) ? word() : param();
  }

  std::string affixed_segment() {
    std::string text = random_.percent(50) ? word() : "";
    text += param();
    for (std::size_t more = random_.below(3); more != 0; --more)
      text += std::string(random_.pick(kBetween)) + param();
    if (random_.percent(50)) text += random_.pick(kBetween);
    return text;
  }

  // ---- Paths ----

  Path ordinary_path() {
    Path path;
    if (!paths_.empty() && random_.percent(60)) return neighbour(random_.pick(paths_));
    for (std::size_t i = random_.between(1, 4); i != 0; --i) path.push_back(segment());
    add_tail(path);
    return path;
  }

  // One segment away from another path.
  Path neighbour(Path path) {
    switch (random_.below(4)) {
      case 0:
        if (path.size() > 1) path.pop_back();
        break;
      case 1:
        path.insert(path.begin() + static_cast<std::ptrdiff_t>(random_.below(path.size())),
                    segment());
        break;
      default:
        path[random_.below(path.size())] = segment();
    }
    if (path.back().empty()) path.pop_back();
    if (path.empty()) path.push_back(segment());
    add_tail(path);
    return path;
  }

  void add_tail(Path& path) {
    const bool has_tail = path.back().ends_with("...}") || path.back().ends_with("?}");
    if (has_tail) return;
    const std::size_t kind = random_.below(100);
    if (kind < 10) path.push_back({'{', kName, '.', '.', '.', '}'});
    if (kind >= 10 && kind < 20) path.emplace_back();
    if (kind >= 20 && kind < 30) {
      path.push_back(param());
      path.back().insert(path.back().size() - 1, "?");
    }
  }

  void add(const Path& path) {
    paths_.push_back(path);
    std::string text;
    std::size_t names = 0;
    for (const std::string& part : path) {
      text += '/';
      for (const char c : part) {
        if (c == kName)
          text += "p" + std::to_string(names++);
        else
          text += c;
      }
    }
    const std::string number = std::to_string(draft_.routes.size());
    std::string line = "  '" + std::string(random_.pick(methods_)) + " " + text + "': ";
    if (random_.percent(8))
      line += "{ handler: h" + number + ", over: h" +
              std::to_string(random_.below(draft_.routes.size() + 1)) + " }";
    else if (names == 0 && random_.percent(10))
      line += "{ handler: shared, name: n" + number + " }";
    else
      line += "h" + number;
    draft_.routes.push_back(std::move(line));
  }

  // ---- Tables ----

  void draw_routes() {
    const std::size_t style = random_.below(100);
    if (style < 8) draw_wide();
    if (style >= 8 && style < 14) draw_deep();
    if (style >= 14 && style < 24) draw_mixes();
    const std::size_t most = style >= 95 ? 80 : style >= 60 ? 25 : 8;
    for (std::size_t i = random_.between(1, most); i != 0; --i) add(ordinary_path());
  }

  // More literals at one place than one node takes.
  void draw_wide() {
    const Path front(random_.below(2), segment());
    const Path behind(random_.below(2), segment());
    const std::size_t size = random_.pick(kSizes);
    const bool differ_in_middle = random_.percent(30);
    for (std::size_t i = random_.between(20, 120); i != 0; --i) {
      std::string text = "w" + std::to_string(i);
      if (text.size() < size) text.insert(place_in(text.size()), size - text.size(), 'x');
      if (differ_in_middle) text = std::string(8, 'y') + text + std::string(8, 'z');
      Path path = front;
      path.push_back(text);
      path.insert(path.end(), behind.begin(), behind.end());
      add(path);
    }
  }

  // As many segments as there may be.
  void draw_deep() {
    constexpr std::size_t kDepths[] = {17, 60, 63, 64, 65, 127, 128, 129, 254, 255, 256};
    for (std::size_t i = random_.between(1, 5); i != 0; --i) {
      Path path;
      for (std::size_t size = random_.pick(kDepths); size != 0; --size)
        path.push_back(random_.percent(90) ? "a" : random_.percent(50) ? "b" : param());
      if (path.size() < 256) add_tail(path);
      add(path);
    }
  }

  // Literals and parameters in all combinations.
  void draw_mixes() {
    const std::size_t depth = random_.between(2, 6);
    Path literals, params;
    for (std::size_t i = 0; i < depth; ++i) {
      literals.push_back(word());
      params.push_back(random_.percent(30) ? affixed_segment() : param());
    }
    const std::size_t share = random_.between(30, 100);
    for (std::size_t mix = 0; mix < std::size_t{1} << depth; ++mix) {
      Path path;
      for (std::size_t i = 0; i < depth; ++i)
        path.push_back((mix >> i & 1) != 0 ? literals[i] : params[i]);
      if (random_.percent(share)) add(path);
    }
  }

  Random& random_;
  const std::string_view (&methods_)[6];
  std::vector<std::string> words_;
  std::vector<std::string> types_;  // with their colon
  std::string definitions_;
  std::size_t typed_ = 0, affixed_ = 0;  // percentages
  std::vector<Path> paths_;
  ManifestDraft draft_;
};

}  // namespace

std::string ManifestDraft::text() const {
  std::string text = head;
  for (const std::string& route : routes) text += route + '\n';
  return text;
}

ManifestDraft draw_manifest(Random& random) { return Drawer(random).draw(); }

}  // namespace routec::test
