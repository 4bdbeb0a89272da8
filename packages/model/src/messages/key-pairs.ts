import { visibleText } from '../display.ts'
import { limits } from '../limits.ts'

/** Texts of foreign keys over several columns. */
export const keyPairTexts = {
  tooMany: `A foreign key has at most ${limits.groups.members} columns.`,
  unknown: (name: string) => `There is no attribute '${short(name)}'.`,
  twice: (name: string) => `'${short(name)}' is in the foreign key twice.`,
  targetTwice: (name: string) => `The foreign key refers to '${short(name)}' twice.`,
  object: (name: string) => `'${short(name)}' is an object: it cannot be in a foreign key.`,
  noTarget: (name: string) => `Choose what '${short(name)}' refers to.`,
  notUnique: (entity: string) => `${short(entity)} has no key and no unique group of exactly these attributes.`,
  type: (name: string, type: string, entity: string, target: string, targetType: string) =>
    `'${short(name)}' is ${type}, but ${short(entity)}.${short(target)} is ${targetType}.`,
  setNull: 'Set null needs every column to be optional.',
  columnFor: (entity: string, target: string) => `Column for ${short(entity)}.${short(target)}`,
  columnHint: 'A further column of the foreign key. Together they refer to one record.',
  noColumn: '-',
  /** Of a deletion. */
  losing: (keys: string) => `Foreign keys that lose a column: ${keys}.`,
} as const

function short(name: string): string {
  const text = visibleText(name)
  return text.length <= 120 ? text : `${text.slice(0, 119)}…`
}
