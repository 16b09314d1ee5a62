-- KEYS: the name.  ARGV: the race that wants it, milliseconds for which it is kept (0: for good).
-- Returns the race that has it.

local holder = redis.call('GET', KEYS[1])
if holder then
  return holder
end
if ARGV[2] == '0' then
  redis.call('SET', KEYS[1], ARGV[1])
else
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
return ARGV[1]
