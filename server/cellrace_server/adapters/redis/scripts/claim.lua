-- KEYS: the name.  ARGV: the race that wants it.  Returns the race that has it.

local holder = redis.call('GET', KEYS[1])
if holder then
  return holder
end
redis.call('SET', KEYS[1], ARGV[1])
return ARGV[1]
