-- Compare-and-append for several races. Each is written whole or not at all.
-- ARGV[1]: MessagePack of {node, publish, {{race, expected, {fact, …}}, …}}
-- Returns one answer a race, in order: nil when its facts are in the log after `expected`, else the log's length.
-- Keys follow from the races; they are not declared, because one packed argument is what makes a large batch cheap.

local function id(number)
  return string.format('0-%d', number)
end

local function holds(key, expected, facts)
  local there = redis.call('XRANGE', key, id(expected + 1), id(expected + #facts))
  if #there ~= #facts then
    return false
  end
  for n, entry in ipairs(there) do
    if entry[2][2] ~= facts[n] then
      return false
    end
  end
  return true
end

-- The answer (false is nil on the wire), whether something was written, and the error of a store that cannot write.
local function append(key, expected, facts)
  local length = redis.pcall('XLEN', key)
  if type(length) == 'table' then
    return 0, false -- it is no stream; whoever reads it is told
  end
  if length ~= expected then
    if length > expected and holds(key, expected, facts) then
      return false, false
    end
    return length, false
  end
  for n, fact in ipairs(facts) do
    local added = redis.pcall('XADD', key, id(expected + n), 'f', fact)
    if type(added) == 'table' and added.err then
      if n == 1 and string.find(added.err, 'ID specified in XADD', 1, true) then
        return length, false -- entries are missing from it; whoever reads it is told
      end
      return length, false, added
    end
  end
  return false, true
end

local node, publish, items = unpack(cmsgpack.unpack(ARGV[1]))
local answers, grown = {}, {}
for i, item in ipairs(items) do
  local race, expected, facts = item[1], item[2], item[3]
  local answer, written, failure = append('cellrace:{' .. race .. '}:log', expected, facts)
  if failure then
    return failure
  end
  answers[i] = answer
  if written then
    grown[#grown + 1] = {race, expected + #facts}
  end
end
if publish and #grown > 0 then
  redis.call('PUBLISH', 'cellrace:growth', cmsgpack.pack({node, grown}))
end
return answers
