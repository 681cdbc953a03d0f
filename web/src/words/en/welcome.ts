export const welcome = {
  choose: 'Choose a chat',
  chooseHint: 'Your chats are on the left, the most recent first.',
  first: 'Nothing here yet',
  firstHint: 'Join an open chat or start your own.',
  browse: 'Browse open chats',
  invite: 'Invite people',
}

export const emoji = { search: 'Search emoji' }
