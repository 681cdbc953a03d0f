import { type Law, LEVELS, type Level } from './law.js'

/** The laws of a level and those below it, of all areas or of some; an area is also named by the beginning of an id. */
export function selectLaws(laws: readonly Law[], level: Level, only: readonly string[]): Law[] {
  const depth = LEVELS.indexOf(level)
  const wanted = only.map((word) => word.toLowerCase())
  const fits = ({ id, area }: Law) =>
    wanted.length === 0 ||
    wanted.some((word) => area.toLowerCase() === word || id.toLowerCase().startsWith(word))
  return laws.filter((law) => LEVELS.indexOf(law.level) <= depth && fits(law))
}
