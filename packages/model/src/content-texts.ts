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
