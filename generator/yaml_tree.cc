#include "yaml_tree.h"

#include <yaml.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "quote.h"
#include "yaml_text.h"

namespace routec::compiler {
namespace {

// No manifest needs more; it bounds what a hostile one can cost.
constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxAliasedOctets = 16U << 20;

std::string_view view(const yaml_char_t* text) {
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

// What libyaml says, in words for people who write manifests.
struct SyntaxAdvice {
  std::string_view problem;  // libyaml's
  std::string_view text;
  std::string_view cure;
};
constexpr SyntaxAdvice kSyntaxAdvice[] = {
    {"mapping values are not allowed in this context", "a second ': ' where one value was expected",
     "put quotes around a key or value that holds ': ', and indent keys alike"},
    {"found unknown escape character", "this escape does not exist in a double-quoted text",
     "write '\\\\' for a backslash, or use single quotes"},
    {"found unexpected end of stream", "this quote is never closed", "add the closing quote"},
    {"could not find expected ':'", "this line is no 'key: value'",
     "a key and its ': ' stand on one line; quote texts that hold special characters"},
    {"did not find expected key", "this is no key of the mapping that is open here",
     "indent the keys of a mapping alike; quote texts that hold special characters"},
    {"did not find expected ',' or '}'", "',' or '}' was expected here",
     "close the '{', or quote a text that holds '{', '}', ',' or quotes"},
    {"did not find expected ',' or ']'", "',' or ']' was expected here",
     "close the '[', or quote a text that holds '[', ']', ',' or quotes"},
    {"did not find expected '-' indicator", "'- ' was expected here, as in the items before",
     "indent the items of a list alike"},
    {"did not find expected <document start>", "text after the end of the manifest",
     "a manifest is one mapping; quote texts that hold special characters"},
};

class YamlReader {
 public:
  YamlReader(const SourceFile& source, std::uint32_t file, Diagnostics& diagnostics)
      : file_(file), diagnostics_(diagnostics), text_(source.text()) {
    if (text_.starts_with("\xEF\xBB\xBF")) bom_ = 3;
    index_characters();
    yaml_parser_initialize(&parser_);
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(
        &parser_, reinterpret_cast<const unsigned char*>(text_.data()) + bom_, text_.size() - bom_);
  }
  YamlReader(const YamlReader&) = delete;
  YamlReader& operator=(const YamlReader&) = delete;
  ~YamlReader() { yaml_parser_delete(&parser_); }

  std::optional<YamlTree> read();

 private:
  void index_characters();
  std::uint32_t offset(const yaml_mark_t& mark) const;
  Span span(const yaml_event_t& event) const;

  // Each returns false to stop reading.
  bool handle(const yaml_event_t& event);
  bool start_document(const yaml_event_t& event);
  bool add_scalar(const yaml_event_t& event);
  bool add_alias(const yaml_event_t& event);
  bool open(const yaml_event_t& event, YamlNode::Kind kind, const yaml_char_t* anchor,
            const yaml_char_t* tag);
  bool close(const yaml_event_t& event);

  bool refuse_tag(const yaml_event_t& event, const yaml_char_t* tag);
  void remember(const yaml_char_t* anchor, YamlNode::Index node);
  bool fail(std::string_view code, Span span, std::string text, std::string_view cure);
  void report_syntax();
  bool report_long_key(std::uint32_t at);
  void check_keys(YamlNode::Index mapping);
  YamlNode::Index add(YamlNode node);

  std::uint32_t file_;
  Diagnostics& diagnostics_;
  const std::string& text_;
  std::size_t bom_ = 0;
  std::vector<std::uint32_t> character_offsets_;  // empty when every character is one octet
  yaml_parser_t parser_;
  YamlTree tree_;
  std::vector<YamlNode::Index> open_;  // the collections around the current event
  std::unordered_map<std::string, YamlNode::Index> anchors_;
  std::size_t aliased_octets_ = 0;
  std::size_t documents_ = 0;
  bool broken_ = false;  // the tree is not what was written
};

// libyaml counts characters, a Span octets.
void YamlReader::index_characters() {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::all_of(text_.begin() + static_cast<std::ptrdiff_t>(bom_), text_.end(), is_ascii)) return;
  for (std::size_t i = bom_; i <= text_.size(); ++i)
    if (i == text_.size() || (static_cast<unsigned char>(text_[i]) & 0xC0) != 0x80)
      character_offsets_.push_back(static_cast<std::uint32_t>(i));
}

std::uint32_t YamlReader::offset(const yaml_mark_t& mark) const {
  if (character_offsets_.empty())
    return static_cast<std::uint32_t>(std::min(mark.index + bom_, text_.size()));
  return character_offsets_[std::min(mark.index, character_offsets_.size() - 1)];
}

Span YamlReader::span(const yaml_event_t& event) const {
  return {offset(event.start_mark), offset(event.end_mark), file_};
}

std::optional<YamlTree> YamlReader::read() {
  for (bool more = true; more;) {
    yaml_event_t event;
    if (yaml_parser_parse(&parser_, &event) == 0) {
      report_syntax();
      return std::nullopt;
    }
    more = event.type != YAML_STREAM_END_EVENT && handle(event);
    yaml_event_delete(&event);
  }
  if (broken_) return std::nullopt;
  if (tree_.nodes.empty()) add(YamlNode{});
  return std::move(tree_);
}

bool YamlReader::handle(const yaml_event_t& event) {
  switch (event.type) {
    case YAML_DOCUMENT_START_EVENT:
      return start_document(event);
    case YAML_SCALAR_EVENT:
      return add_scalar(event);
    case YAML_ALIAS_EVENT:
      return add_alias(event);
    case YAML_SEQUENCE_START_EVENT:
      return open(event, YamlNode::Kind::kSequence, event.data.sequence_start.anchor,
                  event.data.sequence_start.tag);
    case YAML_MAPPING_START_EVENT:
      return open(event, YamlNode::Kind::kMapping, event.data.mapping_start.anchor,
                  event.data.mapping_start.tag);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
      return close(event);
    default:
      return true;
  }
}

bool YamlReader::start_document(const yaml_event_t& event) {
  if (++documents_ == 1) return true;
  return fail("yaml-feature", span(event),
              "a manifest is one YAML document, and here a second begins",
              "remove the '---', or split the file");
}

bool YamlReader::add_scalar(const yaml_event_t& event) {
  const auto& scalar = event.data.scalar;
  if (!refuse_tag(event, scalar.tag)) return false;
  YamlNode node;
  node.span = span(event);
  node.text.span = node.span;
  node.text.value.assign(reinterpret_cast<const char*>(scalar.value), scalar.length);
  const std::string_view source =
      std::string_view(text_).substr(node.span.begin, node.span.end - node.span.begin);
  switch (scalar.style) {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE:
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE:
      node.kind = YamlNode::Kind::kText;
      trace_quoted(source, node.text);
      break;
    case YAML_PLAIN_SCALAR_STYLE:
      node.kind = plain_scalar_kind(node.text.value);
      if (source == node.text.value) node.text.first = node.span.begin;
      break;
    default:
      node.kind = YamlNode::Kind::kText;
  }
  remember(scalar.anchor, add(std::move(node)));
  return true;
}

// An alias of a scalar is a scalar at its own place; collections are shared.
bool YamlReader::add_alias(const yaml_event_t& event) {
  const std::string name(view(event.data.alias.anchor));
  const auto found = anchors_.find(name);
  if (found == anchors_.end())
    return fail("yaml-alias", span(event), "no anchor " + quote("&" + name) + " before this alias",
                "quote the text if it is to begin with '*'");
  if (std::find(open_.begin(), open_.end(), found->second) != open_.end())
    return fail("yaml-alias", span(event),
                quote("*" + name) + " stands inside of what it stands for", "write the value out");
  const YamlNode& target = tree_.nodes[found->second];
  if (target.kind == YamlNode::Kind::kSequence || target.kind == YamlNode::Kind::kMapping) {
    if (!open_.empty()) tree_.nodes[open_.back()].items.push_back(found->second);
    return true;
  }
  aliased_octets_ += target.text.value.size();
  if (aliased_octets_ > kMaxAliasedOctets)
    return fail("yaml-alias", span(event), "aliases blow this manifest up beyond 16 MiB",
                "write the values out");
  YamlNode node;
  node.kind = target.kind;
  node.span = span(event);
  node.text.value = target.text.value;
  node.text.span = node.span;
  add(std::move(node));
  return true;
}

bool YamlReader::open(const yaml_event_t& event, YamlNode::Kind kind, const yaml_char_t* anchor,
                      const yaml_char_t* tag) {
  if (!refuse_tag(event, tag)) return false;
  if (open_.size() == kMaxDepth)
    return fail("nesting", span(event),
                "collections are nested deeper than " + std::to_string(kMaxDepth) + " levels",
                "a manifest needs no more than five");
  YamlNode node;
  node.kind = kind;
  node.span = span(event);
  const YamlNode::Index index = add(std::move(node));
  remember(anchor, index);
  open_.push_back(index);
  return true;
}

bool YamlReader::close(const yaml_event_t& event) {
  const YamlNode::Index index = open_.back();
  open_.pop_back();
  YamlNode& node = tree_.nodes[index];
  const bool is_flow = event.start_mark.index != event.end_mark.index;
  // The end mark of a block collection is where the next token begins, lines further down.
  if (is_flow)
    node.span.end = offset(event.end_mark);
  else if (!node.items.empty())
    node.span.end = tree_.nodes[node.items.back()].span.end;
  if (node.kind == YamlNode::Kind::kMapping) check_keys(index);
  return true;
}

bool YamlReader::refuse_tag(const yaml_event_t& event, const yaml_char_t* tag) {
  if (tag == nullptr) return true;
  return fail("yaml-feature", span(event), "manifests use no YAML tags like " + quote(view(tag)),
              "remove the tag, or quote a text that begins with '!'");
}

void YamlReader::remember(const yaml_char_t* anchor, YamlNode::Index node) {
  if (anchor != nullptr) anchors_[std::string(view(anchor))] = node;
}

bool YamlReader::fail(std::string_view code, Span span, std::string text, std::string_view cure) {
  diagnostics_.error(code, span, std::move(text)).cure = cure;
  broken_ = true;
  return false;
}

void YamlReader::report_syntax() {
  const std::string_view problem = parser_.problem == nullptr ? "out of memory" : parser_.problem;
  std::uint32_t at = offset(parser_.problem_mark);
  const std::uint32_t context = offset(parser_.context_mark);
  if (report_long_key(at)) return;
  const bool is_unclosed_quote = problem == "found unexpected end of stream";
  if (is_unclosed_quote) at = context;
  const Span place{at, at + (at < text_.size() ? 1U : 0U), file_};
  const auto* advice = std::find_if(std::begin(kSyntaxAdvice), std::end(kSyntaxAdvice),
                                    [&](const SyntaxAdvice& a) { return a.problem == problem; });
  std::string text(problem);
  std::string cure = "quote texts that hold special characters, and indent keys alike";
  if (advice != std::end(kSyntaxAdvice)) {
    text = advice->text;
    cure = advice->cure;
  } else if (problem == "found character that cannot start any token" && at < text_.size()) {
    const bool is_tab = text_[at] == '\t';
    text = is_tab ? "a tab cannot indent in YAML"
                  : "a text without quotes cannot begin with " + quote(text_.substr(at, 1));
    cure = is_tab ? "indent with spaces" : "put it in quotes";
  }
  Diagnostic& error = diagnostics_.error("yaml-syntax", place, std::move(text));
  error.cure = cure;
  const bool has_context =
      parser_.context != nullptr && context < at && parser_.context_mark.index > 0;
  if (has_context && !is_unclosed_quote)
    error.notes.push_back({{context, context + 1, file_}, std::string(parser_.context)});
}

// A key before its ':' at `at`, in two words at most like METHOD and path, that is longer than YAML
// lets keys be. libyaml then sees no key, and complains of what follows from that.
bool YamlReader::report_long_key(std::uint32_t at) {
  constexpr std::ptrdiff_t kMaxKeyCharacters = 1024;  // YAML 1.2.2, section 7.4.2
  const std::string_view before = std::string_view(text_).substr(0, at);
  if (at == text_.size() || text_[at] != ':') return false;
  std::size_t begin = before.size();
  for (int word = 0; word < 2; ++word) {
    const std::size_t last = before.substr(0, begin).find_last_not_of(' ');
    if (last == std::string_view::npos || before[last] == '\n') break;
    begin = before.find_last_of(" \n", last) + 1;
  }
  const std::string_view key = before.substr(begin);
  const auto is_first_octet = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  if (std::count_if(key.begin(), key.end(), is_first_octet) <= kMaxKeyCharacters) return false;
  return !fail("yaml-syntax", {static_cast<std::uint32_t>(begin), at, file_},
               "a key of more than 1,024 characters needs a '?' before it",
               "write '? GET /long/path', and on the next line, indented alike, ': handler'");
}

// Keys are texts and unique; what is not is reported here and left out.
void YamlReader::check_keys(YamlNode::Index mapping) {
  std::vector<YamlNode::Index> kept;
  std::unordered_map<std::string_view, YamlNode::Index> seen;
  const std::vector<YamlNode::Index>& items = tree_.nodes[mapping].items;
  kept.reserve(items.size());
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    const YamlNode& key = tree_.nodes[items[i]];
    if (key.kind != YamlNode::Kind::kText) {
      diagnostics_.error("wrong-type", key.span, "a key must be text, not " + describe(key)).cure =
          "write it as text, in quotes if need be";
      continue;
    }
    const auto [place, is_new] = seen.emplace(key.text.value, items[i]);
    if (is_new) {
      kept.insert(kept.end(), {items[i], items[i + 1]});
      continue;
    }
    Diagnostic& error = diagnostics_.error("duplicate-key", key.span,
                                           "the key " + quote(key.text.value) + " is here twice");
    error.notes.push_back({tree_.nodes[place->second].span, "the first one"});
    error.cure = "remove or rename one of them";
  }
  tree_.nodes[mapping].lost_keys = kept.size() != items.size();
  tree_.nodes[mapping].items = std::move(kept);
}

YamlNode::Index YamlReader::add(YamlNode node) {
  const auto index = static_cast<YamlNode::Index>(tree_.nodes.size());
  tree_.nodes.push_back(std::move(node));
  if (!open_.empty()) tree_.nodes[open_.back()].items.push_back(index);
  return index;
}

}  // namespace

std::optional<YamlTree> read_yaml(const SourceFile& source, std::uint32_t file_index,
                                  Diagnostics& diagnostics) {
  if (!check_characters(source, file_index, diagnostics)) return std::nullopt;
  return YamlReader(source, file_index, diagnostics).read();
}

}  // namespace routec::compiler
