import { plural } from './plural.js'

export const search = {
  title: 'Search',
  what: 'Search messages',
  inChat: 'In',
  anyChat: 'Any chat',
  from: 'From',
  anybody: 'Anyone',
  after: 'After',
  before: 'Before',
  clear: (label: string) => `Remove the filter: ${label}`,
  begin: 'Search everything you can read',
  beginHint: 'Type some words and press Enter. Narrow the results by chat, person or date.',
  nothingHint: 'Try fewer words, or remove a filter.',
  results: 'Results',
  found: (count: number) => plural(count, { one: '# message', other: '# messages' }),
  foundMore: (count: number) => `More than ${plural(count, { one: '# message', other: '# messages' })}`,
}
