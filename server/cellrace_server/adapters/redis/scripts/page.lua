-- Some rows of a board, and where a player stands.
-- KEYS: the board's order, its players' members.  ARGV: count, offset, player, 1 for around the player
-- Returns {rows in all, offset, how many are before the first row's equals, {member, value, …}, mine} where mine is
-- {member, value, how many stand ahead, how many are better, how many are worse} or empty.

local order, members = unpack(KEYS)
local count, offset, player, around = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4] == '1'
local total = redis.call('ZCARD', order)
local mine = {}
local member = player ~= '' and redis.call('HGET', members, player)
local ahead = member and redis.call('ZRANK', order, member)
if ahead then
  local value = redis.call('ZSCORE', order, member)
  local better, worse = redis.call('ZCOUNT', order, '-inf', '(' .. value), redis.call('ZCOUNT', order, '(' .. value, 'inf')
  mine = {member, value, ahead, better, worse}
end
if around then
  if not ahead then
    return {total, 0, 0, {}, mine}
  end
  offset = math.max(0, math.min(ahead - math.floor(count / 2), total - count))
end
local rows, better = {}, 0
if count > 0 and offset < total then
  rows = redis.call('ZRANGE', order, offset, offset + count - 1, 'WITHSCORES')
  better = redis.call('ZCOUNT', order, '-inf', '(' .. rows[2])
end
return {total, offset, better, rows, mine}
