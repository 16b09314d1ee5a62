-- Put down what a race makes of ratings, once.
-- KEYS: the pool's races, ratings, order, members; then of each player the history, the rule sets rated under, and the
--   mark of one who was erased
-- ARGV: race, rules, how much history is kept; then of each player the id, how many races the rating had, its record,
--   the step of its history, its member in the order ('' for a provisional one), the value it has there
-- A record is the number of races, a colon, and what only its readers understand. Races are kept with the number of
-- their booking, which is the order that ratings follow.
-- Returns 1 if it is down, now or since before, 0 where a rating is not what the change was made from.

local races, ratings, order, members = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local race, rules, kept = ARGV[1], ARGV[2], tonumber(ARGV[3])
if redis.call('HEXISTS', races, race) == 1 then
  return 1
end
local count = (#ARGV - 3) / 6
local erased = {}
for i = 1, count do
  erased[i] = redis.call('EXISTS', KEYS[3 * i + 4]) == 1
  local record = redis.call('HGET', ratings, ARGV[6 * i - 2])
  local had = record and string.match(record, '^%d+') or '0'
  if not erased[i] and had ~= ARGV[6 * i - 1] then
    return 0
  end
end
for i = 1, count do
  local player, _, record, step, member, value = unpack(ARGV, 6 * i - 2, 6 * i + 3)
  if not erased[i] then
    redis.call('HSET', ratings, player, record)
    redis.call('RPUSH', KEYS[3 * i + 2], step)
    redis.call('LTRIM', KEYS[3 * i + 2], -kept, -1)
    redis.call('SADD', KEYS[3 * i + 3], rules)
    local stands = redis.call('HGET', members, player)
    if stands then
      redis.call('ZREM', order, stands)
    end
    if member ~= '' then
      redis.call('ZADD', order, value, member)
      redis.call('HSET', members, player, member)
    end
  end
end
redis.call('HSET', races, race, redis.call('HLEN', races) + 1)
return 1
