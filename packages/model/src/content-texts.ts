/** What the Json tab of an entity says. */
export const contentTexts = {
  syntaxError: (cause: string, line: number, column: number) =>
    `Syntax Error: ${cause} (line ${line}, column ${column})`,
  valid: 'The content is valid.',
  noObject: 'The content is an object in braces.',
  missing: 'This is missing.',
  unknownKey: 'The content has no place for this.',
  more: (count: number) => `and ${count} more`,
  repeatedKey: (key: string) => `The key "${key}" stands twice in one object.`,
  lostNumber: (number: string) => `The number ${number} cannot be kept: it has too many digits or is too large.`,
  noText: 'A text holds a character that cannot be stored.',
  tooMuch: 'The content holds too many values.',
  tooDeep: 'The content is nested too deeply.',
  identity: 'Who the entity is cannot be changed.',
  keptIdentity: 'Who something is cannot be changed.',
  keptReference: 'What is referred to is chosen in the dialogs and properties of the entity, or in Edit Source.',
  noUid: 'This is no uid. Without one a new one is made.',
  sameUid: 'Another one has this uid.',
}
