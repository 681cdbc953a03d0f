// Made-up texts whose words are as common and as rare as those of people: half Latin, half Cyrillic.

const LATIN =
  'ba be bo da de do ka ke ko la le lo ma me mo na ne no pa pe po ra re ro sa se so ta te to va ve'.split(' ')
const CYRILLIC =
  'ба бе бо да де до ка ке ко ла ле ло ма ме мо на не но па пе по ра ре ро са се со та те то ва ве'.split(' ')

export function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 4294967296
  }
}

/** The word of a rank: 0 is the most common. */
export function wordOf(rank) {
  const syllables = rank % 2 ? CYRILLIC : LATIN
  let rest = rank + 1024
  let word = ''
  while (rest > 0) {
    word += syllables[rest % 32]
    rest = Math.floor(rest / 32)
  }
  return word
}

/** Ranks fall off as 1/rank over this many words. */
const VOCABULARY = 20_000

export function sentence(random, length = 60) {
  let text = ''
  while (text.length < length) {
    const rank = Math.floor(VOCABULARY ** random()) - 1
    text += (text ? ' ' : '') + wordOf(Math.max(0, rank))
  }
  return text.slice(0, length)
}
