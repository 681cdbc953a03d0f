import { plural } from './plural.js'

export const search = {
  title: 'Search',
  what: 'Search messages',
  inChat: 'In',
  anyChat: 'Any chat',
  from: 'From',
  anybody: 'Anybody',
  after: 'After',
  before: 'Before',
  clear: (label: string) => `Take away the filter: ${label}`,
  begin: 'Search in everything you may read',
  beginHint: 'Write some words and press Enter. Narrow it down by chat, person or day.',
  nothingHint: 'Try fewer words, or take a filter away.',
  results: 'Results',
  found: (count: number) => plural(count, { one: '# message', other: '# messages' }),
  foundMore: (count: number) => `More than ${plural(count, { one: '# message', other: '# messages' })}`,
}
