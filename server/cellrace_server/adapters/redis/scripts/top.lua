-- The runs of the first rows of a board, in order.
-- KEYS: the board's order, its players' runs.  ARGV: how many, at least 1

local runs = {}
for i, member in ipairs(redis.call('ZRANGE', KEYS[1], 0, ARGV[1] - 1)) do
  runs[i] = redis.call('HGET', KEYS[2], string.sub(member, 33))
end
return runs
