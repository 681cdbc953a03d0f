import { plural } from './plural.js'

export const forms = {
  from: (bot: string) => `Form from ${bot}`,
  botDoesNotHear: 'The bot does not respond to buttons.',
  buttonGone: 'This button no longer exists.',
  choose: 'Choose…',
  optional: (label: string) => `${label} (optional)`,
  addFile: 'Choose a file',
  filesAtMost: (count: number) => plural(count, { one: 'One file at most', other: '# files at most' }),
  fileTypes: (types: string) => `Allowed: ${types}`,
  stillUploading: 'A file is still being uploaded.',
  noAnswer: 'The bot did not answer. Your entries are kept, so you can send them again.',
  expired: 'This form is too old to be sent. Ask the bot for a new one.',
  gone: 'The form was closed elsewhere.',
  discardTitle: 'Close without sending?',
  discardText: 'Your entries will be lost.',
  discard: 'Close the form',
  faults: {
    blank: 'This field is required.',
    invalid: 'This is not a valid answer.',
    min_length: (count: number) =>
      plural(count, { one: 'Enter at least # character.', other: 'Enter at least # characters.' }),
    max_length: (count: number) =>
      plural(count, { one: 'Enter at most # character.', other: 'Enter at most # characters.' }),
    too_long: 'This is too long.',
    not_found: 'The file was not found. Choose it again.',
    file_type: 'This file type is not allowed.',
  },
}
