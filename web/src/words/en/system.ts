export const system = {
  chat_renamed: (actor: string, name: string) => `${actor} renamed the chat to “${name}”`,
  chat_opened: (actor: string) => `${actor} opened the chat to everyone`,
  chat_closed: (actor: string) => `${actor} closed the chat`,
  chat_archived: (actor: string) => `${actor} archived the chat`,
  chat_unarchived: (actor: string) => `${actor} restored the chat from the archive`,
  member_joined: (who: string) => `${who} joined`,
  members_added: (actor: string, whom: string) => `${actor} added ${whom}`,
  member_removed: (actor: string, whom: string) => `${actor} removed ${whom}`,
  member_left: (who: string) => `${who} left`,
  tag_bound: (actor: string, name: string) => `${actor} added the tag ${name}`,
  tag_unbound: (actor: string, name: string) => `${actor} removed the tag ${name}`,
}
