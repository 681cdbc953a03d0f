export const keys = {
  title: 'Keys',
  help: 'Show the keys',
  jump: 'Jump or search',
}
