export const keys = {
  title: 'Keyboard shortcuts',
  help: 'Show keyboard shortcuts',
  jump: 'Jump or search',
}
