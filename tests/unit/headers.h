// What every unit test includes, compiled once (see CMakeLists.txt). Tests still name what they use.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>
