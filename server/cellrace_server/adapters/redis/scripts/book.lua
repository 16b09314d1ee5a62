-- Keep a run and its replay, and let it stand as its player's row on each board where it is that player's best.
-- KEYS: the replay, the run, the player's runs, the mark of one who was erased, all runs with replays; then of each board
--   its order and its players' members
-- ARGV: player, at, member, run, replay; then of each board the value
-- A member is the instant of finishing (14 hexadecimal digits) and the run's id. Equal values rank by member, here as in
-- the order. So a row is the least of all that was ever booked, in whatever order and however often. Returns 0, and
-- keeps nothing, where the player was erased.

local player, at, member, run, replay = unpack(ARGV, 1, 5)

local function before(one, other)
  for i = 1, math.min(#one, #other) do
    if one:byte(i) ~= other:byte(i) then
      return one:byte(i) < other:byte(i)
    end
  end
  return #one < #other
end

if redis.call('EXISTS', KEYS[4]) == 1 then
  return 0
end
redis.call('SET', KEYS[1], replay, 'NX')
redis.call('SET', KEYS[2], run, 'NX')
redis.call('ZADD', KEYS[3], at, string.sub(member, 15))
redis.call('ZADD', KEYS[5], 0, member)
for i = 6, #ARGV do
  local order, members, value = KEYS[2 * i - 6], KEYS[2 * i - 5], ARGV[i]
  local stands = redis.call('HGET', members, player)
  local score = stands and tonumber(redis.call('ZSCORE', order, stands) or nil)
  local better = not score or tonumber(value) < score
  if better or (tonumber(value) == score and before(member, stands)) then
    redis.call('ZADD', order, value, member)
    if stands and stands ~= member then
      redis.call('ZREM', order, stands)
    end
    redis.call('HSET', members, player, member) -- last: cut off before it, all of this is done again
  end
end
return 1
