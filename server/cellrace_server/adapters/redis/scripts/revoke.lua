-- No token proves a player from now on.
-- KEYS: the player's token.  ARGV: what to publish ('': nothing)

redis.call('SET', KEYS[1], '')
if ARGV[1] ~= '' then
  redis.call('PUBLISH', 'cellrace:revoked', ARGV[1])
end
return 1
