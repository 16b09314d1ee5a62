-- Keep an identity under the hash of a token, unless there is one: it stays.
-- KEYS: the identity, who the player is, the hashes of the player's tokens, the mark of one who was erased, of whom
--   nothing is kept.  ARGV: the identity, the hash

if redis.call('EXISTS', KEYS[4]) == 1 then
  return 0
end
redis.call('SET', KEYS[1], ARGV[1], 'NX')
if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('SET', KEYS[2], ARGV[1], 'NX')
  redis.call('SADD', KEYS[3], ARGV[2])
end
return 1
