-- From now on nothing is kept of a player.
-- KEYS: the mark, those who are being erased.  ARGV: player, what is known of the player

redis.call('SET', KEYS[1], '1')
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return 1
