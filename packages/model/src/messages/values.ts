import { formatCount } from '../display.ts'

/** Reasons why a text is not a value of its type. */
export const valueTexts = {
  boolean: 'this must be true or false.',
  integer: 'this must be a whole number.',
  integerRange: (bits: number) => `this must be a whole number of at most ${bits} bits.`,
  integerDigits: (precision: number) => `this must be a whole number with at most ${precision} digits.`,
  number: 'this must be a number.',
  single: 'this must be a number of single precision, at most 3.4e38.',
  decimal: (precision: number, scale: number) =>
    `this must be a number with at most ${precision} digits, ${scale} of them after the point.`,
  date: 'this must be a date such as 2026-01-31.',
  time: 'this must be a time such as 13:45:00.',
  dateTime: 'this must be a date and time such as 2026-01-31T13:45:00Z.',
  instant: 'this must be a moment with its offset, such as 2026-01-31T13:45:00Z.',
  local: 'this must be a date and time without an offset, such as 2026-01-31T13:45:00.',
  guid: 'this must be a UUID.',
  binary: 'this must be Base64 text.',
  json: 'this must be valid JSON.',
  jsonValue:
    'this must be JSON that every database accepts: no NUL, no unpaired surrogate, no number out of range, no excessive nesting.',
  text: 'this must not contain NUL or unpaired surrogates.',
  choice: 'this must be one of the choices.',
  length: (max: number) => `this must be at most ${max} characters long.`,
  fixed: (length: number) =>
    `this must be exactly ${length} ${length === 1 ? 'character' : 'characters'} long, without a space at the end.`,
}

/** Texts of the Json tab of an entity. */
export const contentTexts = {
  syntaxError: (cause: string, line: number, column: number) =>
    `Syntax Error: ${cause} (line ${line}, column ${column})`,
  valid: 'The content is valid.',
  noObject: 'The content must be an object in braces.',
  missing: 'This is missing.',
  unknownKey: 'Unknown property.',
  more: (count: number) => `and ${count} more`,
  repeatedKey: (key: string) => `The key "${key}" occurs twice in one object.`,
  lostNumber: (number: string) =>
    `The number ${number} cannot be stored exactly: it has too many digits or is too large.`,
  noText: 'A text contains a character that cannot be stored.',
  tooMuch: 'The content has too many values.',
  tooDeep: 'The content is nested too deeply.',
  identity: 'The identity of the entity cannot be changed.',
  fixedIdentity: 'A uid cannot be changed.',
  fixedReference: 'References are changed in the dialogs and properties of the entity, or in Edit Source.',
  noUid: 'Invalid uid. Leave it out to get a new one.',
  sameUid: 'This uid is used twice.',
  unusableUid: 'This uid is invalid or already in use.',
}

/** Texts of lists of findings. */
export const problemTexts = {
  error: (count: number) => (count === 1 ? '1 error' : `${formatCount(count)} errors`),
  warning: (count: number) => (count === 1 ? '1 warning' : `${formatCount(count)} warnings`),
  note: (count: number) => (count === 1 ? '1 note' : `${formatCount(count)} notes`),
  lists: { error: 'Errors', warning: 'Warnings', note: 'Notes' },
  more: (count: number) => `… and ${formatCount(count)} more.`,
  folded: (count: number, what: 'columns' | 'entities' | 'places', summary: string) =>
    `${formatCount(count)} ${what}: ${summary}`,
}

/** Texts of the preview of a script. */
export const scriptTexts = {
  label: 'Script',
  size: (lines: number, bytes: number, notes: number) =>
    `${formatCount(lines)} ${lines === 1 ? 'line' : 'lines'}, ${formatCount(Math.ceil(bytes / 1000))} kB${
      notes === 0 ? '' : notes === 1 ? ', 1 note at its end' : `, ${formatCount(notes)} notes at its end`
    }`,
  cut: (count: number, length: number) =>
    `${count === 1 ? 'One line is' : `${formatCount(count)} lines are`} shown up to ${formatCount(length)} characters; copies and downloads contain the full lines.`,
  copied: 'Copied the script.',
  notCopied: 'The browser does not allow copying here. Download the script instead.',
  downloaded: (file: string) => `Downloaded ${file}.`,
}
