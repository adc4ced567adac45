-- Removes a game with everything that is kept of it, if it is still as it was seen.
-- KEYS  1 game hash   2 log list   3 channel of its news   4.. receipts
-- ARGV  1 version   2 stamp   3 generations
-- Returns 1 if the game was removed, else 0.

local seen = redis.call('HMGET', KEYS[1], 'v', 'x', 'g')
if seen[1] ~= ARGV[1] or seen[2] ~= ARGV[2] or seen[3] ~= ARGV[3] then return 0 end

-- One by one: a long match has more receipts than one call takes arguments.
redis.call('UNLINK', KEYS[1], KEYS[2])
for index = 4, #KEYS do redis.call('UNLINK', KEYS[index]) end
-- pcall: what is written stays written where the user of the store may not publish.
redis.pcall('PUBLISH', KEYS[3], 'erased')
return 1
