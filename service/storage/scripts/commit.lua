-- Writes one step of a game, all or nothing.
-- KEYS  1 game hash   2 log list   3 channel of its news   [4 receipt]
-- ARGV  1-3 version, stamp and generations that the step is based on ('0', '' and '' for a new game)
--       4-7 version, stamp, generations and snapshot afterwards
--       8 when the game expires, in ms since 1970
--       9 receipt or ''   10 when it expires, in ms since 1970   11.. log entries
-- Returns {'ok'} | {'replay', receipt} | {'rotated'} | {'stale'} | {'broken', why}.
-- Everything is checked first: nothing can fail after the first write.

local function type_of(key)
  return redis.call('TYPE', key).ok
end

-- A number as Redis reads them too: digits only, and not so many that it would refuse them.
local function whole(text)
  return #text <= 15 and string.find(text, '^%d+$') and tonumber(text)
end

local entries = #ARGV - 10
local based_on, version = whole(ARGV[1]), whole(ARGV[4])
local expires_at, receipt_until = whole(ARGV[8]), whole(ARGV[10])
if not (based_on and version and entries > 0 and version == based_on + entries) then
  return {'broken', 'the entries do not lead from one version to the other'}
end
if not (expires_at and expires_at > 0) then
  return {'broken', 'the game has no time to expire at'}
end

if KEYS[4] then
  if not (receipt_until and receipt_until > 0) then
    return {'broken', 'the receipt has no time to expire at'}
  end
  local kind = type_of(KEYS[4])
  if kind == 'string' then
    return {'replay', redis.call('GET', KEYS[4])}
  elseif kind ~= 'none' then
    return {'broken', 'the receipt is a ' .. kind}
  end
end

local bytes = 0
for index = 11, #ARGV do bytes = bytes + #ARGV[index] end

if based_on == 0 then
  if redis.call('EXISTS', KEYS[1]) == 1 then return {'stale'} end
  if redis.call('EXISTS', KEYS[2]) == 1 then return {'broken', 'a new game has a log'} end
else
  -- pcall, since a key of another type is an error; asking for the types first would take two calls more of each step.
  local seen = redis.pcall('HMGET', KEYS[1], 'v', 'x', 'g', 'b')
  if seen.err then return {'broken', 'the game is a ' .. type_of(KEYS[1])} end
  if not seen[1] and redis.call('EXISTS', KEYS[1]) == 0 then return {'stale'} end
  if seen[3] ~= ARGV[3] then return {'rotated'} end
  if seen[1] ~= ARGV[1] or seen[2] ~= ARGV[2] then return {'stale'} end
  local length = redis.pcall('LLEN', KEYS[2])
  if type(length) == 'table' or length == 0 then return {'broken', 'the log is a ' .. type_of(KEYS[2])} end
  if length ~= based_on then return {'broken', 'the log has not one entry a version'} end
  -- Servers that wrote snapshots of schema 1 did not count: then the count begins here.
  local before = whole(seen[4] or '0')
  if not before then return {'broken', 'the bytes of the log are no number'} end
  bytes = bytes + before
end

redis.call('HSET', KEYS[1], 'v', ARGV[4], 'x', ARGV[5], 'g', ARGV[6], 's', ARGV[7], 'b', bytes)
redis.call('RPUSH', KEYS[2], unpack(ARGV, 11))
redis.call('PEXPIREAT', KEYS[1], ARGV[8])
redis.call('PEXPIREAT', KEYS[2], ARGV[8])
if KEYS[4] then redis.call('SET', KEYS[4], ARGV[9], 'PXAT', ARGV[10]) end
-- pcall: what is written stays written where the user of the store may not publish.
redis.pcall('PUBLISH', KEYS[3], ARGV[4])
return {'ok'}
