import { plural } from './plural.js'

export const notices = {
  title: 'Notices',
  none: 'Nothing to tell',
  noneText: 'Tasks that are due, exports that are ready and bots that stopped are told here.',
  older: 'Show older ones',
  new: 'new',
  other: 'Notice',
  unread: (count: number) => plural(count, { one: '# new', other: '# new' }),
  kinds: {
    'task.due': 'A task is due',
    'export.ready': 'An export is ready',
    'export.failed': 'An export failed',
    'scheduled_message.skipped': 'A scheduled message was not sent',
    webhook_paused: 'A webhook was paused',
    webhook_disabled: 'A webhook was switched off',
  },
}
