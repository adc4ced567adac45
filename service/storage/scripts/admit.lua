-- Counts one more open game for a holder, unless it has as many as it may.
-- KEYS  1 the holder's open games: a sorted set, by when each was last known to be there, in ms since 1970
-- ARGV  1 game id   2 the most   3 how long to keep the count, in ms
--       4 games known to be there for less than so many ms are not looked for   5 how many to look for at once
-- Returns {1} if it is counted, else {0, now, ids..}: of games not looked for lately, the longest unseen first.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then
  local unseen = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now - tonumber(ARGV[4]), 'LIMIT', 0, ARGV[5])
  return {0, now, unpack(unseen)}
end
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {1}
