import { plural } from './plural.js'

export const forms = {
  from: (bot: string) => `Form of ${bot}`,
  botDoesNotHear: 'The bot does not listen to its buttons.',
  buttonGone: 'This button is not there any more.',
  choose: 'Choose…',
  optional: (label: string) => `${label} (optional)`,
  addFile: 'Choose a file',
  filesAtMost: (count: number) => plural(count, { one: 'One file at most', other: '# files at most' }),
  fileTypes: (types: string) => `Allowed: ${types}`,
  stillUploading: 'A file is still being uploaded.',
  noAnswer: 'The bot did not answer. What you filled in is still here, so you can send it again.',
  expired: 'This form is too old to be sent. Ask the bot for a new one.',
  gone: 'The form was closed elsewhere.',
  discardTitle: 'Close without sending?',
  discardText: 'What you filled in will be lost.',
  discard: 'Close the form',
  faults: {
    blank: 'Fill this in.',
    invalid: 'This is not a valid answer.',
    min_length: (count: number) =>
      plural(count, { one: 'Write at least # character.', other: 'Write at least # characters.' }),
    max_length: (count: number) =>
      plural(count, { one: 'Write at most # character.', other: 'Write at most # characters.' }),
    too_long: 'That is too much.',
    not_found: 'The file was not found. Choose it again.',
    file_type: 'This kind of file is not allowed here.',
  },
}
