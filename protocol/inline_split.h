// Splits a line into words as Redis splits inline commands and the lines of its config file: blanks
// separate, "double quotes" know \n \r \t \b \a \xHH and \<any>, 'single quotes' know \' alone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

// False when a quote is not closed, or closed in the middle of a word. `words` is overwritten.
bool split_inline(std::string_view line, std::vector<std::string>& words);

}  // namespace lockstep
