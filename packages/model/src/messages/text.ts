import { formatCount, visibleText } from '../display.ts'

/** Problems of the text of a model. */
export const textTexts = {
  openComment: 'This comment has no end: */ is missing.',
  openQuote: (quote: string) => `The closing ${quote} is missing.`,
  openBracket: 'The closing ] is missing.',
  openList: 'The closing ) is missing.',
  openBlock: (name: string) => `The closing } of ${short(name)} is missing.`,
  unexpected: (text: string) =>
    text.trim() === '' ? 'The line ends too early.' : `${short(text)} is not expected here.`,
  noBlock: 'A block in { } is missing.',
  unknownBlock: (text: string) =>
    `${short(text)} is not expected here. A text consists of Table, Enum, Ref and Project.`,
  ignored: (name: string) => `${short(name)} stands in a block that is not read. Take its line out of the block.`,
  partial: 'Partials are not read. Write their lines here.',
  noName: 'A name is missing.',
  noType: (name: string) => `${short(name)} has no data type, such as string(40).`,
  noCondition: 'A condition in ` ` is missing, such as `price >= 0`.',
  noText: 'A text in single quotes is missing.',
  severalTargets: (name: string) => `Several entities are named ${short(name)}. Choose the target in the sheet.`,
  sqlTooLarge: 'The tables of the script are too large to be pasted. Import the script as a file instead.',
  unknownSetting: (text: string) => `${short(text)} is not a known setting.`,
  repeatedSetting: (text: string) => `${short(text)} is set twice.`,
  noReference: 'A reference is missing, such as ref: > Customer.id.',
  reverseReference: 'Write the reference at the column with the foreign key, with >.',
  manyColumns: 'A reference over several columns cannot be kept.',
  manyToMany: 'A reference between many and many needs an entity of its own.',
  severalReferences: 'A relationship refers to one attribute.',
  unknownColumn: (text: string) => `${short(text)} is not a known table and column.`,
  unknownAction: (key: string, options: readonly string[]) =>
    `After ${key} one of these is needed: ${options.join(', ')}.`,
  deleteWithoutReference: 'Only a relationship has an action on delete.',
  updateWithoutReference: 'Only a relationship has an action on update.',
  furtherWithoutReference: 'Only a relationship has further columns.',
  noFurther: "Further columns are written as 'column > attribute, column > attribute'.",
  unknownFormat: (text: string, dataType: string) => `${short(text)} is not a format of ${dataType}.`,
  notEditable: (name: string) => `${short(name)} cannot be changed here.`,
  parent: 'The parent of an entity is not changed in the text.',
  unknownEnumeration: (name: string) => `There is no enumeration ${short(name)}.`,
  unknownTarget: (name: string) => `There is no entity ${short(name)}.`,
  unknownTargetAttribute: (entity: string, name: string) => `${short(entity)} has no attribute ${short(name)}.`,
  removedTarget: (entity: string, name: string) =>
    `It refers to ${short(name)} of ${short(entity)}, which is no longer there.`,
  noKey: (entity: string) => `${short(entity)} has no key to refer to.`,
  keyOverColumns: 'An entity has one key of one attribute.',
  project: 'Name and description of the manifest are not changed in the text.',
  tooLong: (limit: number) => `A text can have at most ${formatCount(limit)} characters.`,
}

function short(text: string): string {
  const trimmed = text.trim()
  return visibleText(trimmed.length > 60 ? `${trimmed.slice(0, 60)}…` : trimmed)
}
