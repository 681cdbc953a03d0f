export const composer = {
  tools: 'Formatting',
  attach: 'Attach a file',
  dropHere: 'Drop files here to attach them',
  detach: (name: string) => `Remove ${name}`,
  uploading: (name: string) => `Uploading ${name}`,
  uploadFailed: 'upload failed',
  quotaFull: 'your upload quota is used up',
  tooLarge: (size: string) => `larger than ${size}`,
  filesAtMost: (count: number) =>
    `A message takes ${count} files. The others are not attached: send them with the next one.`,
  noFilesWhileEditing:
    'Files cannot be added to a message that was sent. Finish editing, and send them with a new one.',
  emoji: 'Emoji',
  mention: 'Mention someone',
  commands: 'Bot commands',
  marks: {
    bold: 'Bold',
    italic: 'Italic',
    strike: 'Strikethrough',
    link: 'Link',
    code: 'Code',
    list: 'List',
  },
  send: 'Send',
  editing: 'Editing',
  typing: (names: string, count: number) => (count === 1 ? `${names} is typing` : `${names} are typing`),
}
