-- Removes a game with everything that is kept of it, if it is still as it was seen.
-- KEYS  1 game hash   2 log list   3.. receipts
-- ARGV  1 version   2 stamp
-- Returns 1 if the game was removed, else 0.

local seen = redis.call('HMGET', KEYS[1], 'v', 'x')
if seen[1] ~= ARGV[1] or seen[2] ~= ARGV[2] then return 0 end

redis.call('UNLINK', unpack(KEYS))
return 1
