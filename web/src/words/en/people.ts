export const people = {
  title: 'People',
  field: 'Find someone by name or nickname',
  none: 'No one found.',
  write: 'Message',
  begin: 'You have not written to each other yet. The first message starts the chat.',
  gone: 'You can no longer message this person.',
  itIsYou: 'This is you',
  itIsYouText: 'This is how others see you.',
  localTime: (time: string) => `${time} local time`,
  until: (when: string) => `until ${when}`,
}
