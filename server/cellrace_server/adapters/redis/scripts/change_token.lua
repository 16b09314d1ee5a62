-- Another token proves a player from now on.
-- KEYS: the player's token.  ARGV: the hash of the old one, that of the new one, what to publish ('': nothing)
-- Returns 1 if it is so now, 0 where it was neither the old one nor the new one that did until now.

local has = redis.call('GET', KEYS[1])
if has and has ~= ARGV[1] and has ~= ARGV[2] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2])
if ARGV[3] ~= '' then
  redis.call('PUBLISH', 'cellrace:revoked', ARGV[3])
end
return 1
