-- Remove a run with its replay and its rows; last of all its name among the player's runs, by which it is found.
-- KEYS: the player's runs, the run, the replay, all runs with replays; then of each board its order and its players' members
-- ARGV: player, run, member

local player, run, member = unpack(ARGV)
for i = 5, #KEYS, 2 do
  redis.call('ZREM', KEYS[i], member)
  if redis.call('HGET', KEYS[i + 1], player) == member then
    redis.call('HDEL', KEYS[i + 1], player)
  end
end
redis.call('DEL', KEYS[2], KEYS[3])
redis.call('ZREM', KEYS[4], member)
redis.call('ZREM', KEYS[1], run)
return 1
