-- Reads a game as one request sees it, with the clock that the request goes by.
-- KEYS  1 game hash   [2 receipt]
-- Returns {now ms, {version, stamp, generations, snapshot, bytes of the log}, receipt or false}; what is not there is
-- false.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local game = redis.call('HMGET', KEYS[1], 'v', 'x', 'g', 's', 'b')
local receipt = KEYS[2] and redis.call('GET', KEYS[2]) or false
return {now, game, receipt}
