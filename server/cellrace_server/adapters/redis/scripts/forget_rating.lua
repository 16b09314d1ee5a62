-- Remove a player's rating from a pool.
-- KEYS: the pool's ratings, order, members; the player's steps, the rule sets rated under.  ARGV: player, rules

local member = redis.call('HGET', KEYS[3], ARGV[1])
if member then
  redis.call('ZREM', KEYS[2], member)
end
redis.call('HDEL', KEYS[3], ARGV[1])
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('DEL', KEYS[4])
redis.call('SREM', KEYS[5], ARGV[2])
return 1
