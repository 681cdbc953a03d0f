export const switcher = {
  title: 'Jump to',
  field: 'A chat, a person or a command',
  command: 'command',
  notJoined: 'not joined',
  browse: 'Browse open chats',
  markAllRead: 'Mark everything as read',
  theme: (name: string) => `Theme: ${name}`,
  searchFor: (text: string) => `Search messages for “${text}”`,
}
