-- Keep a replay, and let the run stand as its player's row if it is that player's fastest.
-- KEYS: the board's order, its players' members in that order, its players' runs, its count of bookings; the replay
-- ARGV: player, time, at (16 hexadecimal digits), run, replay
-- Equal times rank by member, so a member begins with when the run was finished and which booking it was.
-- A row only ever gets faster: that makes a booking harmless when repeated, even one that was cut off half-way.

local order, members, runs, bookings, replay_key = unpack(KEYS)
local player, time, at, run, replay = unpack(ARGV)

redis.call('SET', replay_key, replay, 'NX')
local stands = redis.call('HGET', members, player)
if stands then
  if tonumber(redis.call('ZSCORE', order, stands)) <= tonumber(time) then
    return 0
  end
  redis.call('ZREM', order, stands)
end
local member = at .. string.format('%016x', redis.call('INCR', bookings)) .. player
redis.call('ZADD', order, time, member)
redis.call('HSET', members, player, member)
redis.call('HSET', runs, player, run)
return 1
