-- Nothing more is to be done about a race: its log is kept for a while.
-- KEYS: the log, the races that are not settled.  ARGV: race, seconds

redis.call('EXPIRE', KEYS[1], ARGV[2])
redis.call('SREM', KEYS[2], ARGV[1])
return 1
