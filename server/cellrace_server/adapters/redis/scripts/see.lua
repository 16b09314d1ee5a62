-- Players see deals.
-- KEYS: of each sight the deals that the player has seen, and the mark of one who was erased
-- ARGV: of each the deal's number, and by what
-- Returns of each 1 if it was by this that the player saw it first.

local first = {}
for i = 1, #KEYS / 2 do
  local seen, deal, by = KEYS[2 * i - 1], ARGV[2 * i - 1], ARGV[2 * i]
  first[i] = 0
  if redis.call('EXISTS', KEYS[2 * i]) == 0 then
    redis.call('HSETNX', seen, deal, by)
    if redis.call('HGET', seen, deal) == by then
      first[i] = 1
    end
  end
end
return first
