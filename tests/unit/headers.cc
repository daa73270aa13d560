// Nothing but a unit that the precompiled header can belong to.
#include "tests/unit/headers.h"
