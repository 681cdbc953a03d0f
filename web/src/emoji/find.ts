export type Emoji = readonly [char: string, name: string, tags: string, group: number, codes: string]

/** How an emoji fits a text, best first. */
const FITS = ['name', 'code', 'word of name', 'begin of name', 'word', 'begin', 'inside'] as const
type Fit = (typeof FITS)[number]

function fitOf([, name, tags, , codes]: Emoji, wanted: string): Fit | null {
  const title = name.toLocaleLowerCase()
  const inTitle = title.split(' ')
  const inTags = tags.toLocaleLowerCase().split(' ')
  const begins = (word: string) => word.startsWith(wanted)
  if (title === wanted) return 'name'
  if (codes.split(' ').includes(wanted.replaceAll(' ', '_'))) return 'code'
  if (inTitle.includes(wanted)) return 'word of name'
  if (begins(title) || inTitle.some(begins)) return 'begin of name'
  if (inTags.includes(wanted)) return 'word'
  if (inTags.some(begins)) return 'begin'
  return title.includes(wanted) || inTags.some((word) => word.includes(wanted)) ? 'inside' : null
}

/** Emoji by name or tag, those first that are most likely meant; of equals the one with the shortest name. */
export function findEmoji(all: readonly Emoji[], text: string, worst: Fit = 'inside'): Emoji[] {
  const wanted = text.trim().replaceAll('_', ' ').toLocaleLowerCase()
  if (wanted === '') return [...all]
  return all
    .flatMap((emoji) => {
      const fit = fitOf(emoji, wanted)
      if (!fit || FITS.indexOf(fit) > FITS.indexOf(worst)) return []
      return { emoji, rank: FITS.indexOf(fit), length: fit.includes('name') ? emoji[1].length : 0 }
    })
    .sort((a, b) => a.rank - b.rank || a.length - b.length)
    .map(({ emoji }) => emoji)
}
