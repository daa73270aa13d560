// Every error that the server can send, once, as Redis 7.4 words it. A reader who greps for what a
// client printed finds the rule here and its users from here.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::errors {

using namespace std::string_view_literals;

// Arguments
inline constexpr auto kSyntax = "ERR syntax error"sv;
inline constexpr auto kNotAnInteger = "ERR value is not an integer or out of range"sv;
inline constexpr auto kNotAnInt32 =
    "ERR value is out of range, value must between -2147483648 and 2147483647"sv;
inline constexpr auto kNotAFloat = "ERR value is not a valid float"sv;
inline constexpr auto kNotFinite = "ERR value is NaN or Infinity"sv;
inline constexpr auto kWouldNotBeFinite = "ERR increment would produce NaN or Infinity"sv;
inline constexpr auto kHashValueNotAnInteger = "ERR hash value is not an integer"sv;
inline constexpr auto kHashValueNotAFloat = "ERR hash value is not a float"sv;
inline constexpr auto kOutOfRange = "ERR value is out of range"sv;
inline constexpr auto kCountOutOfRange =
    "ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807"sv;
inline constexpr auto kMustBePositive = "ERR value is out of range, must be positive"sv;
inline constexpr auto kNotZeroOrOne = "ERR value is out of range, value must between 0 and 1"sv;
inline constexpr auto kIndexOutOfRange = "ERR index out of range"sv;
inline constexpr auto kKeyCountNotPositive = "ERR numkeys should be greater than 0"sv;
inline constexpr auto kCountNotPositive = "ERR count should be greater than 0"sv;
inline constexpr auto kZeroRank =
    "ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... or use negative to "
    "start from the end of the list"sv;
inline constexpr auto kNegativeCount = "ERR COUNT can't be negative"sv;
inline constexpr auto kNegativeMaxLen = "ERR MAXLEN can't be negative"sv;
inline constexpr auto kScoreNotAFloat = "ERR One or more scores can't be converted into double"sv;
inline constexpr auto kTimeoutNotAFloat = "ERR timeout is not a float or out of range"sv;
inline constexpr auto kTimeoutNotAnInteger = "ERR timeout is not an integer or out of range"sv;
inline constexpr auto kTimeoutNegative = "ERR timeout is negative"sv;
inline constexpr auto kTimeoutOutOfRange = "ERR timeout is out of range"sv;
inline constexpr auto kWouldOverflow = "ERR increment or decrement would overflow"sv;
inline constexpr auto kDecrementOverflow = "ERR decrement would overflow"sv;
inline constexpr auto kStringTooLong =
    "ERR string exceeds maximum allowed size (proto-max-bulk-len)"sv;
inline constexpr auto kOffsetOutOfRange = "ERR offset is out of range"sv;
inline constexpr auto kBadDigest = "ERR must be exactly 16 hexadecimal characters"sv;
inline constexpr auto kBadCondition = "ERR Invalid condition. Use IFEQ, IFNE, IFDEQ, or IFDNE"sv;
inline constexpr auto kInvalidCursor = "ERR invalid cursor"sv;
inline constexpr auto kNoValuesOutsideHash = "ERR NOVALUES option can only be used in HSCAN"sv;

// Keys
inline constexpr auto kWrongType =
    "WRONGTYPE Operation against a key holding the wrong kind of value"sv;
inline constexpr auto kOutOfMemory = "OOM command not allowed when used memory > 'maxmemory'."sv;
inline constexpr auto kNoSuchKey = "ERR no such key"sv;
inline constexpr auto kConditionOnNoString =
    "ERR Key should be of string type if conditions are specified"sv;
inline constexpr auto kSameObject = "ERR source and destination objects are the same"sv;
inline constexpr auto kInvalidFirstDatabase = "ERR invalid first DB index"sv;
inline constexpr auto kInvalidSecondDatabase = "ERR invalid second DB index"sv;
inline constexpr auto kBusyKey = "BUSYKEY Target key name already exists."sv;
inline constexpr auto kInvalidTtl = "ERR Invalid TTL value, must be >= 0"sv;
inline constexpr auto kInvalidIdleTime = "ERR Invalid IDLETIME value, must be >= 0"sv;
inline constexpr auto kInvalidFrequency = "ERR Invalid FREQ value, must be >= 0 and <= 255"sv;
inline constexpr auto kBadDumpFooter = "ERR DUMP payload version or checksum are wrong"sv;
inline constexpr auto kBadDumpFormat = "ERR Bad data format"sv;
inline constexpr auto kUnsupportedDump = "ERR DUMP payload holds a type of value that there is not in Lockstep"sv;
inline constexpr auto kNoFrequencies =
    "ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that when switching "
    "between policies at runtime LRU and LFU data will take some time to adjust."sv;
inline constexpr auto kNoIdleTimes = "ERR idle time not tracked: keys carry no time of their last access"sv;
inline constexpr auto kNxWithOthers =
    "ERR NX and XX, GT or LT options at the same time are not compatible"sv;
inline constexpr auto kGtWithLt = "ERR GT and LT options at the same time are not compatible"sv;

// Connections
inline constexpr auto kNoAuth = "NOAUTH Authentication required."sv;
inline constexpr auto kNoAuthHello =
    "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO <proto> AUTH "
    "<user> <pass> option can be used to authenticate the client and select the RESP protocol version at "
    "the same time"sv;
inline constexpr auto kWrongPassword = "WRONGPASS invalid username-password pair or user is disabled."sv;
inline constexpr auto kNoPasswordSet =
    "ERR AUTH <password> called without any password configured for the default user. Are you sure your "
    "configuration is correct?"sv;
inline constexpr auto kNoProto = "NOPROTO unsupported protocol version"sv;
inline constexpr auto kProtocolNotAnInteger = "ERR Protocol version is not an integer or out of range"sv;
inline constexpr auto kDatabaseOutOfRange = "ERR DB index is out of range"sv;
inline constexpr auto kBadClientName =
    "ERR Client names cannot contain spaces, newlines or special characters."sv;
inline constexpr auto kUnblocked = "UNBLOCKED client unblocked via CLIENT UNBLOCK"sv;
inline constexpr auto kNoSuchClient = "ERR No such client"sv;
inline constexpr auto kClientIdNotPositive = "ERR client-id should be greater than 0"sv;
inline constexpr auto kMaxAgeNotAnInteger = "ERR maxage is not an integer or out of range"sv;
inline constexpr auto kMaxAgeNotPositive = "ERR maxage should be greater than 0"sv;
inline constexpr auto kPauseMode = "ERR CLIENT PAUSE mode must be WRITE or ALL"sv;
inline constexpr auto kUnblockReason = "ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR"sv;
inline constexpr auto kInvalidClientId = "ERR Invalid client ID"sv;
inline constexpr auto kMaxClients = "ERR max number of clients reached"sv;
// The first sentence is Redis'; the advice is what can be done here.
inline constexpr auto kProtectedMode =
    "DENIED Redis is running in protected mode because protected mode is enabled and no password is set for "
    "the default user. In this mode connections are only accepted from the loopback interface. If you want to "
    "connect from external computers, do one of the following on the server's machine: 1) Set a password with "
    "the option 'requirepass'. 2) Disable protected mode with '--protected-mode no', and make sure that the "
    "server is not reachable from the internet if you do so."sv;

inline constexpr auto kMonitorsCannot = "ERR Replica can't interact with the keyspace"sv;
inline constexpr auto kMonitorWhileQueued = "ERR MONITOR isn't allowed for DENY BLOCKING client"sv;
inline constexpr auto kSlowlogCount = "ERR count should be greater than or equal to -1"sv;

// Transactions
inline constexpr auto kNestedMulti = "ERR MULTI calls can not be nested"sv;
inline constexpr auto kWatchInsideMulti = "ERR WATCH inside MULTI is not allowed"sv;
inline constexpr auto kExecWithoutMulti = "ERR EXEC without MULTI"sv;
inline constexpr auto kDiscardWithoutMulti = "ERR DISCARD without MULTI"sv;
inline constexpr auto kExecAbort = "EXECABORT Transaction discarded because of previous errors."sv;
inline constexpr auto kNotInTransaction = "ERR Command not allowed inside a transaction"sv;

// Scripts
inline constexpr auto kNoScript = "NOSCRIPT No matching script. Please use EVAL."sv;
inline constexpr auto kNegativeKeyCount = "ERR Number of keys can't be negative"sv;
inline constexpr auto kTooManyKeys = "ERR Number of keys can't be greater than number of args"sv;
inline constexpr auto kScriptUnknownCommand = "ERR Unknown Redis command called from script"sv;
inline constexpr auto kScriptWrongArity = "ERR Wrong number of args calling Redis command from script"sv;
inline constexpr auto kScriptNotAllowed = "ERR This Redis command is not allowed from script"sv;
inline constexpr auto kScriptReadOnly = "ERR Write commands are not allowed from read-only scripts."sv;
inline constexpr auto kScriptMayWrite = "ERR Can not execute a script with write flag using *_ro command."sv;
inline constexpr auto kBusyScript =
    "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE."sv;
inline constexpr auto kNoScriptRuns = "NOTBUSY No scripts in execution right now."sv;
inline constexpr auto kScriptHasWritten =
    "UNKILLABLE Sorry the script already executed write commands against the dataset. You can either wait the "
    "script termination or kill the server in a hard way using the SHUTDOWN NOSAVE command."sv;
inline constexpr auto kScriptWholeDatabase =
    "ERR Commands on the whole database are not allowed in Lua scripts when 'allow-key-locking' flag is set."sv;
inline constexpr auto kBadFlushMode = "ERR SCRIPT FLUSH only support SYNC|ASYNC option"sv;

// COMMAND
inline constexpr auto kInvalidCommand = "ERR Invalid command specified"sv;
inline constexpr auto kNoKeyArguments = "ERR The command has no key arguments"sv;
inline constexpr auto kInvalidArguments = "ERR Invalid arguments specified for command"sv;
inline constexpr auto kInvalidArgumentCount = "ERR Invalid number of arguments specified for command"sv;

// The server
inline constexpr auto kNoConfigFile = "ERR The server is running without a config file"sv;
inline constexpr auto kDebugNotAllowed =
    "ERR DEBUG command not allowed. If the enable-debug-command option is set to \"local\", you can run it from a "
    "local connection, otherwise you need to set this option in the configuration file, and then restart the "
    "server."sv;
inline constexpr auto kNotInResp2 = "ERR RESP2 is not supported by this command"sv;
inline constexpr auto kUnknownReplyType =
    "ERR Wrong protocol type name. Please use one of the following: "
    "string|integer|double|bignum|null|array|set|map|attrib|push|verbatim|true|false"sv;
inline constexpr auto kNoCluster = "ERR This instance has cluster support disabled"sv;
inline constexpr auto kNothingIsSaved = "ERR Nothing is written to disk: this server keeps its keys in memory"sv;
inline constexpr auto kWaitAofWithoutAof =
    "ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled."sv;

// Up to its first NUL: how Redis puts what a client sent into a text.
std::string as_c_string(std::string_view text);

std::string unknown_command(std::string_view name, const std::string_view* args, size_t count);
// For some commands Redis finds that out itself.
std::string bad_subcommand_use(std::string_view container, std::string_view subcommand);
std::string unknown_client_type(std::string_view type);
std::string no_such_user(std::string_view name);
std::string unknown_subcommand(std::string_view container, std::string_view subcommand);
std::string unknown_option(std::string_view name);
std::string option_refused(std::string_view name, std::string_view reason);
std::string rewriting_failed(std::string_view reason);
std::string wrong_arity(std::string_view command);                // "client|id" for subcommands
std::string no_latency_samples(std::string_view event);
std::string invalid_expire(std::string_view command);
std::string not_in_subscriber_mode(std::string_view command);
std::string undeclared_script_key(std::string_view key);
std::string exec_aborted_by(std::string_view error);              // an error with its code

}  // namespace lockstep::errors
