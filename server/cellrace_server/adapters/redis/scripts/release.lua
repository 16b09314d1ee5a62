-- KEYS: the name.  ARGV: the race that gives it up, if it has it.

if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
