-- Sets the generations of a game's seat tokens, and nothing else that anybody sees.
-- KEYS  1 game hash   2 channel of its news   [3 receipt]
-- ARGV  1 generations as they were seen   2 generations to set   3 receipt or ''   4 when it expires, in ms
--       5 name of the receipt or ''
-- Returns {'ok'} | {'replay', receipt} | {'rotated'} | {'broken', why}.  Nothing can fail after the first write.

-- A number as Redis reads it too: digits only, and not so many that it would refuse them.
local function whole(text)
  return #text <= 15 and string.find(text, '^%d+$') and tonumber(text)
end

if KEYS[3] then
  local receipt_until = whole(ARGV[4])
  if not (receipt_until and receipt_until > 0) then
    return {'broken', 'the receipt has no time to expire at'}
  end
  local kind = redis.call('TYPE', KEYS[3]).ok
  if kind == 'string' then
    return {'replay', redis.call('GET', KEYS[3])}
  elseif kind ~= 'none' then
    return {'broken', 'the receipt is a ' .. kind}
  end
end

local kind = redis.call('TYPE', KEYS[1]).ok
if kind ~= 'none' and kind ~= 'hash' then return {'broken', 'the game is a ' .. kind} end
if redis.call('HGET', KEYS[1], 'g') ~= ARGV[1] then return {'rotated'} end

redis.call('HSET', KEYS[1], 'g', ARGV[2])
if KEYS[3] then
  -- No log entry tells of a rotation, so the game itself keeps the names of these receipts.
  local names = redis.call('HGET', KEYS[1], 'r')
  redis.call('HSET', KEYS[1], 'r', names and names .. ',' .. ARGV[5] or ARGV[5])
  redis.call('SET', KEYS[3], ARGV[3], 'PXAT', ARGV[4])
end
-- pcall: what is written stays written where the user of the store may not publish.
redis.pcall('PUBLISH', KEYS[2], 'rotated')
return {'ok'}
