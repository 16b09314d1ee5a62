-- Put other facts in the place of some of a log, which is as long as before and goes when it would have gone.
-- KEYS: the log.  ARGV: number, fact, number, fact …

local entries = redis.call('XRANGE', KEYS[1], '-', '+')
if #entries == 0 then
  return 0
end
local left = redis.call('PTTL', KEYS[1])
local other = {}
for i = 1, #ARGV, 2 do
  other['0-' .. ARGV[i]] = ARGV[i + 1]
end
redis.call('DEL', KEYS[1])
for _, entry in ipairs(entries) do
  redis.call('XADD', KEYS[1], entry[1], entry[2][1], other[entry[1]] or entry[2][2])
end
if left > 0 then
  redis.call('PEXPIRE', KEYS[1], left)
end
return 1
