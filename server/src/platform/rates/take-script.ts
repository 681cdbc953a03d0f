/**
 * One take, inside Redis, with the meaning of the one in memory: a list of times for each bucket, one of refusals
 * and an end of hold for the holder. Answers { allowed, which bucket (0 for the hold), remaining, reset_ms }.
 *
 * KEYS: hold, refusals, then one for each bucket.
 * ARGV: now, 1 with a holder, limit and window of the hold rule, length of a hold, then limit and window of each
 * bucket. Keys live a while longer than their window, as Redis' own clock is not the one that counts.
 */
export const TAKE_SCRIPT = `
local SLACK_MS = 60000
local now = tonumber(ARGV[1])
local with_holder = ARGV[2] == '1'
local hold_limit, hold_window, hold_ms = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])

local function count(key, window)
  while true do
    local oldest = tonumber(redis.call('lindex', key, 0))
    if not oldest then return 0 end
    if math.abs(now - oldest) < window then return redis.call('llen', key) end
    redis.call('lpop', key)
  end
end

local function add(key, window)
  redis.call('rpush', key, ARGV[1])
  redis.call('pexpire', key, window + SLACK_MS)
end

local function wait(key, counted, limit, window)
  local blocking = tonumber(redis.call('lindex', key, math.max(0, counted - limit)))
  return blocking and blocking + window - now or 0
end

if with_holder then
  local left = (tonumber(redis.call('get', KEYS[1])) or 0) - now
  if left > 0 and left <= hold_ms then return { 0, 0, 0, left } end
end

local counts = {}
local longest, longest_wait = 0, -1
for i = 1, #KEYS - 2 do
  local key, limit, window = KEYS[i + 2], tonumber(ARGV[4 + 2 * i]), tonumber(ARGV[5 + 2 * i])
  counts[i] = count(key, window)
  if counts[i] >= limit then
    local waits = wait(key, counts[i], limit, window)
    if waits > longest_wait then longest, longest_wait = i, waits end
  end
end

if longest > 0 then
  if with_holder then
    local refusals = count(KEYS[2], hold_window)
    add(KEYS[2], hold_window)
    if refusals >= hold_limit then
      redis.call('del', KEYS[2])
      redis.call('set', KEYS[1], string.format('%.0f', now + hold_ms), 'px', hold_ms + SLACK_MS)
      return { 0, 0, 0, hold_ms }
    end
  end
  return { 0, longest, 0, longest_wait }
end

local tightest, least
for i = 1, #KEYS - 2 do
  local key, limit, window = KEYS[i + 2], tonumber(ARGV[4 + 2 * i]), tonumber(ARGV[5 + 2 * i])
  add(key, window)
  local remaining = limit - counts[i] - 1
  if not least or remaining < least then tightest, least = i, remaining end
end
local limit, window = tonumber(ARGV[4 + 2 * tightest]), tonumber(ARGV[5 + 2 * tightest])
return { 1, tightest, least, wait(KEYS[tightest + 2], counts[tightest] + 1, limit, window) }
`
