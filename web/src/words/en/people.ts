export const people = {
  title: 'People',
  field: 'Find somebody by name or nickname',
  none: 'Nobody has such a name.',
  write: 'Write',
  begin: 'You have not written to each other yet. The first message begins the chat.',
  gone: 'This person cannot be written to any more.',
  itIsYou: 'This is you',
  itIsYouText: 'Others see you like this.',
  localTime: (time: string) => `${time} local time`,
  until: (when: string) => `until ${when}`,
}
