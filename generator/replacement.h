// Changes of several files that are made together: all of them, or none.
#ifndef ROUTEC_GENERATOR_REPLACEMENT_H_
#define ROUTEC_GENERATOR_REPLACEMENT_H_

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace routec::compiler {

// Nobody ever sees a file half written. Several may work on the same files at once, in threads or
// processes: the last one wins.
class Replacement {
 public:
  Replacement() = default;
  ~Replacement();
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  // Each function returns why it failed, naming the file, or nothing. After a failure all files
  // are as they were.

  // Writes the text aside, in the folder of `target`.
  std::string replace(const std::filesystem::path& target, std::string_view text);
  void remove(const std::filesystem::path& target);
  // Makes all the changes, in the order in which they were asked for.
  std::string commit();

 private:
  struct Change {
    std::filesystem::path target;
    std::filesystem::path fresh;  // the new text; empty: there will be no such file
    std::filesystem::path old;    // what there was before; empty: nothing
  };

  std::string keep_old(Change& change);
  static int make(Change& change);
  void roll_back(std::size_t count);
  template <typename Make>
  int make_beside(const std::filesystem::path& target, std::filesystem::path& name, Make make_file);

  std::vector<Change> changes_;
  std::size_t names_ = 0;  // given to files so far
};

}  // namespace routec::compiler

#endif  // ROUTEC_GENERATOR_REPLACEMENT_H_
