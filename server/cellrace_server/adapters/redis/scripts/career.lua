-- Count a race for everybody in it.
-- KEYS: of each player the races, the races won, the rule sets, and the mark of one who was erased
-- ARGV: race, at; then of each player the rule set and 1 for a win
-- All of it is sets, so that it can be done again. Returns the numbers (from 1) of those who were erased.

local race, at = ARGV[1], ARGV[2]
local gone = {}
for i = 1, #KEYS / 4 do
  if redis.call('EXISTS', KEYS[4 * i]) == 1 then
    gone[#gone + 1] = i
  else
    redis.call('ZADD', KEYS[4 * i - 3], at, race)
    if ARGV[2 * i + 2] == '1' then
      redis.call('SADD', KEYS[4 * i - 2], race)
    end
    redis.call('ZADD', KEYS[4 * i - 1], 'GT', at, ARGV[2 * i + 1])
  end
end
return gone
