-- A player sees a deal.
-- KEYS: the deals that the player has seen, the mark of one who was erased.  ARGV: the deal's number, by what
-- Returns 1 if it was by this that the player saw it first.

if redis.call('EXISTS', KEYS[2]) == 1 then
  return 0
end
redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])
return redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] and 1 or 0
