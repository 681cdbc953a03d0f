// Contenders take turns, round after round; slices that neighbours disturbed are thrown away and taken again.
import { isClean } from './measure.mjs'

export function median(values) {
  const sorted = values.filter((value) => value !== null && value !== undefined).sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  if (sorted.length === 0) return null
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Medians over slices, of every number and of the numbers in `parts`. */
function condense(slices) {
  const numbers = Object.keys(slices[0]).filter((key) => typeof slices[0][key] === 'number')
  const parts = Object.keys(slices[0].parts ?? {})
  return {
    ...Object.fromEntries(numbers.map((key) => [key, median(slices.map((slice) => slice[key]))])),
    failed: slices.reduce((total, slice) => total + (slice.failed ?? 0), 0),
    failures: Object.assign({}, ...slices.map((slice) => slice.failures ?? {})),
    cpu_us: Object.fromEntries(
      parts.map((name) => [
        name,
        median(slices.map((slice) => slice.parts[name] / Math.max(1, slice.count))),
      ]),
    ),
  }
}

/** Of one contender: the median of its clean slices, or of the calmest ones where too few were clean. */
function summarise(slices, rounds) {
  const clean = slices.filter(isClean)
  const calmest = [...slices].sort((a, b) => a.foreign - b.foreign).slice(0, rounds)
  const used = clean.length > 0 ? clean.slice(0, rounds) : calmest
  return {
    ...condense(used),
    slices: used.length,
    thrown: slices.length - used.length,
    clean: clean.length > 0,
  }
}

/** A contender that becomes faster by less than this is compiled; one that does not settle is measured all the same. */
const [FASTER, WARM_AT_MOST] = [1.04, 10]

/** Code is compiled while it runs, the more of it the longer: each contender runs until it becomes no faster, and none of it counts. */
async function warmUp({ run, warm = run }) {
  let best = 0
  for (let n = 0; n < WARM_AT_MOST; n += 1) {
    const { per_second } = await warm('warm')
    if (per_second < best * FASTER) return
    best = per_second
  }
}

/**
 * Runs each contender once a round, then again those that lack clean slices, until `until` (ms of performance.now).
 * A contender is `{ name, run(round), warm }`, where `warm` is what it warms up by, if not by a run.
 */
export async function interleave(contenders, { rounds, until, say = () => {} }) {
  const slices = new Map(contenders.map(({ name }) => [name, []]))
  for (const contender of contenders) await warmUp(contender)
  const lacks = ({ name }) => slices.get(name).filter(isClean).length < rounds
  for (let round = 0; round < rounds * 3; round += 1) {
    const turn = round < rounds ? contenders : contenders.filter(lacks)
    if (turn.length === 0 || (round >= rounds && performance.now() > until)) break
    for (const contender of turn) {
      const slice = await contender.run(round)
      slices.get(contender.name).push(slice)
      say(
        `${contender.name}: ${Math.round(slice.per_second)}/s${isClean(slice) ? '' : ` (foreign load ${Math.round(slice.foreign * 100)} %)`}`,
      )
      if (round >= rounds && performance.now() > until) break
    }
  }
  return Object.fromEntries(contenders.map(({ name }) => [name, summarise(slices.get(name), rounds)]))
}
