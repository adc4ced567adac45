-- Sets the generations of a game's seat tokens, and nothing else.
-- KEYS  1 game hash   [2 receipt]
-- ARGV  1 generations as they were seen   2 generations to set   3 receipt or ''   4 how long to keep it, in ms
-- Returns {'ok'} | {'replay', receipt} | {'rotated'} | {'broken', why}.  Nothing can fail after the first write.

if KEYS[2] then
  local keep = tonumber(ARGV[4])
  if not (keep and keep > 0 and keep % 1 == 0) then
    return {'broken', 'the receipt has no time to be kept'}
  end
  local kind = redis.call('TYPE', KEYS[2]).ok
  if kind == 'string' then
    return {'replay', redis.call('GET', KEYS[2])}
  elseif kind ~= 'none' then
    return {'broken', 'the receipt is a ' .. kind}
  end
end

if redis.call('HGET', KEYS[1], 'g') ~= ARGV[1] then return {'rotated'} end

redis.call('HSET', KEYS[1], 'g', ARGV[2])
if KEYS[2] then redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[4]) end
return {'ok'}
