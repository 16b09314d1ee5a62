-- Count a race for everybody who raced in it, and remember it of those its log only names.
-- KEYS: of each who raced the races, the races won, the rule sets, and the mark of one who was erased;
--       then of each who is only named the races that name them, and that mark
-- ARGV: race, at, seconds for which its log is kept, how many raced; then of each of these the rule set and 1 for a win
-- All of it is sets, so that it can be done again. Returns the numbers (from 1) of those who were erased.

local race, at, kept, raced = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local gone = {}
for i = 1, raced do
  if redis.call('EXISTS', KEYS[4 * i]) == 1 then
    gone[#gone + 1] = i
  else
    redis.call('ZADD', KEYS[4 * i - 3], at, race)
    if ARGV[2 * i + 4] == '1' then
      redis.call('SADD', KEYS[4 * i - 2], race)
    end
    redis.call('ZADD', KEYS[4 * i - 1], 'GT', at, ARGV[2 * i + 3])
  end
end
for i = 1, (#KEYS - 4 * raced) / 2 do
  local named = KEYS[4 * raced + 2 * i - 1]
  if redis.call('EXISTS', KEYS[4 * raced + 2 * i]) == 1 then
    gone[#gone + 1] = raced + i
  else
    redis.call('SADD', named, race)
    redis.call('EXPIRE', named, kept)
  end
end
return gone
