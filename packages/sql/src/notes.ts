import { visibleText } from '@cadmus/model/display'
import type { ColumnSource, EntitySource, Note } from './tree.ts'

/** Messages of an export by code. */
export const noteTexts = {
  noKey: (table: string) => `'${table}' has no primary key: its table has none.`,
  noColumns: (table: string) => `'${table}' has no attributes: it gets no table.`,
  repeatedAttribute: (name: string) => `'${name}' is declared more than once: it becomes one column.`,
  keyType: (name: string) => `'${name}' cannot be a key with its data type: the table has no primary key.`,
  notIndexable: (name: string) => `'${name}' cannot be unique or indexed with its data type: it is neither.`,
  groupIncomplete: (group: string) => `A column of the group '${group}' does not exist: the group is left out.`,
  groupType: (group: string, name: string) =>
    `'${name}' cannot be unique or indexed with its data type: the group '${group}' is left out.`,
  checkLeftOut: (check: string, fault: string) => `The check '${check}' is left out: ${fault}`,
  checkInexpressible: (check: string) =>
    `This database cannot check '${check}' with the same meaning: it is left out. An instance checks it.`,
  checkCleared: (check: string, name: string) =>
    `The check '${check}' is left out: this database checks no column that it sets or generates, such as '${name}'.`,
  checkTooLong: (check: string) => `The check '${check}' is too long for the database: it is left out.`,
  indexTooLong: (name: string) => `'${name}' is too long for an index: it gets none.`,
  keyShortened: (name: string, length: number) =>
    `'${name}' is part of a key: it takes at most ${length} characters on this database.`,
  lengthGiven: (name: string, length: number) =>
    `'${name}' has no max length: as it is a key, unique, indexed or referred to, it takes at most ${length} characters.`,
  lengthAsCheck: (name: string) => `'${name}' is stored as text with a checked length on this database.`,
  rowTooLong: (table: string) => `A row of the table '${table}' may exceed the row size of this database.`,
  columnsLeftOut: (table: string, count: number, names: readonly string[]) =>
    `The table '${table}' has ${count} columns, more than this database allows: ${omissionText(names)}.`,
  columnsTooMany: (table: string, count: number) =>
    `The table '${table}' needs ${count} columns, more than this database allows.`,
  rowKey: (name: string) => `'${name}' gets no index and no constraint: the row would be too long.`,
  tooManyKeys: (name: string, limit: number) =>
    `'${name}' gets no index and no constraint: this database allows ${limit} keys per table.`,
  choicesType: (name: string) => `The choices of '${name}' do not fit its data type: they are not checked.`,
  choicesUncompared: (name: string) =>
    `The choices of '${name}' are not checked: databases cannot compare values of its data type.`,
  choicesUnheld: (name: string) => `A choice of '${name}' is left out: this database cannot store it.`,
  choicesTooLong: (name: string) => `The choices of '${name}' are too long for the database: they are not checked.`,
  choicesGenerated: (name: string) => `The choices of '${name}' are not checked: its values are generated.`,
  defaultType: (name: string) => `The default value of '${name}' does not fit its column: it is left out.`,
  defaultNotComputed: (name: string) =>
    `The database cannot compute the default value of '${name}': it is left out. An instance fills it in.`,
  defaultGenerated: (name: string) => `The default value of '${name}' is left out: its values are generated.`,
  keyNotGenerated: (name: string) =>
    `The values of the key '${name}' are not generated: databases generate no integers with a precision.`,
  emptyText: (name: string) => `The empty text of '${name}' is left out: Oracle stores it as null.`,
  singleEmptyRow: (name: string) =>
    `'${name}' is unique and referenced: SQL Server allows only one row without a value.`,
  jsonUnchecked: (name: string) =>
    `'${name}' is stored as text on this database, which does not check that it is JSON.`,
  unitsCounted: (name: string) =>
    `The length of '${name}' is counted in UTF-16 units on this database: an emoji counts as two characters.`,
  guidLetters: (name: string) => `'${name}' accepts only lower-case guids on this database.`,
  typeUnchecked: (name: string) =>
    `'${name}' is not checked against its data type on this database: the table has too many checks.`,
  lengthUnchecked: (name: string) =>
    `The max length of '${name}' is not checked on this database: the table has too many checks.`,
  trailingBlanks: (name: string) =>
    `'${name}' is unique, and this database treats values that differ only in trailing spaces as equal.`,
  external: (name: string, target: string) =>
    `'${name}' refers to '${target}', which is outside the manifest: the column has no constraint.`,
  targetGone: (name: string, target: string) =>
    `'${name}' refers to '${target}', which does not exist: the column has no constraint.`,
  targetAttributeGone: (name: string, target: string, attribute: string) =>
    `'${name}' refers to '${target}.${attribute}', which does not exist: the column has no constraint.`,
  targetNotUnique: (name: string, target: string, attribute: string) =>
    `'${name}' refers to '${target}.${attribute}', which is neither the primary key nor unique: the column has no constraint.`,
  alternatives: (name: string) => `'${name}' may refer to more than one entity: the column has no constraint.`,
  referenceCycle: (name: string) => `'${name}' refers to itself through other foreign keys: its data type was guessed.`,
  keyPairs: {
    gone: (name: string, column: string) =>
      `A column of the foreign key '${name}', '${column}', does not exist: it has no constraint.`,
    targetGone: (name: string, _column: string, entity: string, target: string) =>
      `'${name}' refers to '${entity}.${target}', which does not exist: it has no constraint.`,
    type: (name: string, column: string, entity: string, target: string) =>
      `'${column}' of the foreign key '${name}' has another type than '${entity}.${target}': it has no constraint.`,
    notUnique: (name: string, _column: string, entity: string) =>
      `'${entity}' has no key and no unique group of exactly the attributes that '${name}' refers to: it has no constraint.`,
  },
  updateRefused: (name: string) =>
    `Oracle does nothing on a change of the key that '${name}' refers to: the change is refused.`,
  setNullRequired: (name: string) =>
    `'${name}' must have a value: deleting what it refers to is refused instead of clearing it.`,
  cascadePath: (name: string) =>
    `Deleting what '${name}' refers to is refused: SQL Server allows no cycles and no second path of cascading deletes.`,
  renamed: (name: string, written: string) => `'${name}' is written as '${written}' on this database.`,
  commentShortened: (name: string) =>
    `The description of '${name}' is longer than this database allows: it is shortened.`,
  commentLeftOut: (name: string) =>
    `The description of '${name}' is left out: the table's definition is too large for this database.`,
  guidLength: (name: string, length: number) =>
    `'${name}' is a guid of 36 characters: its max length of ${length} is ignored.`,
  commentChanged: (name: string) =>
    `The description of '${name}' has characters that this database or its tools do not support: they are replaced.`,
  numberShortened: (name: string, precision: number, scale: number) =>
    `'${name}' is stored with precision ${precision} and scale ${scale} on this database.`,
  numberRounded: (name: string, scale: number) => `'${name}' is rounded to ${scale} decimal places on this database.`,
  notStrict: (name: string) =>
    `A server that is not in strict mode changes values of '${name}' that are too long or too large, instead of refusing them.`,
} as const

export type NoteCode = keyof typeof noteTexts

function omissionText(names: readonly string[]): string {
  const [first = ''] = names
  return names.length < 2 ? `'${first}' is left out` : `${names.length} are left out, '${first}' to '${names.at(-1)}'`
}

/** Differences that any model with such a column has on this database; nothing needs to be fixed. */
const differences: ReadonlySet<NoteCode> = new Set([
  'jsonUnchecked',
  'unitsCounted',
  'trailingBlanks',
  'guidLetters',
  'lengthAsCheck',
  'lengthGiven',
  'keyNotGenerated',
  'commentChanged',
  'numberRounded',
  'notStrict',
])

/** Collects the notes on tables. */
export type Notes = {
  readonly list: Note[]
  about(code: NoteCode, message: string, entity: EntitySource, attribute?: ColumnSource): void
  /** Removes notes on these attributes that no longer apply. */
  remove(code: NoteCode, uids: ReadonlySet<string>): void
}

export function newNotes(): Notes {
  const list: Note[] = []
  return {
    list,
    about(code, message, entity, attribute) {
      const { place } = entity
      const path = attribute ? [...place, { kind: attribute.kind, uid: attribute.uid, name: attribute.name }] : place
      list.push({ severity: differences.has(code) ? 'note' : 'warning', code, message: shorten(message), path })
    },
    remove(code, uids) {
      const remaining = list.filter(note => note.code !== code || !uids.has(note.path.at(-1)?.uid ?? ''))
      list.length = 0
      for (const note of remaining) list.push(note)
    },
  }
}

/** Names from files can have any length and characters. */
function shorten(whole: string): string {
  const message = visibleText(whole)
  return message.length <= 500 ? message : `${message.slice(0, 240)} … ${message.slice(-240)}`
}
