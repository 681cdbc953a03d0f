export const welcome = {
  choose: 'Choose a chat',
  chooseHint: 'Everything you are in stands on the left, the latest first.',
  first: 'Nothing here yet',
  firstHint: 'Join an open chat, or begin one of your own.',
  browse: 'Browse open chats',
}

export const emoji = { search: 'Search emoji' }
