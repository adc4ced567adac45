-- Reads what tells versions of a game apart, and the end of its log.
-- KEYS  1 game hash   2 log list
-- ARGV  1 the first version to read   2 how many at most
-- Returns {{version, stamp, generations}, {entry..}}; what is not there is false.

local first = tonumber(ARGV[1]) - 1
return {
  redis.call('HMGET', KEYS[1], 'v', 'x', 'g'),
  redis.call('LRANGE', KEYS[2], first, first + tonumber(ARGV[2]) - 1),
}
