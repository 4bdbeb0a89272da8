import type { ProblemStep } from '@cadmus/model/problem'
import { visibleText } from '@cadmus/model/visible-text'
import type { ColumnSource, EntitySource, Note } from './tree.ts'

/** What an export has to say, once: codes with their sentences. Functions fill in names. */
export const noteTexts = {
  noKey: (table: string) => `'${table}' has no primary key: its table has none.`,
  noColumns: (table: string) => `'${table}' has no attributes: it gets no table.`,
  repeatedAttribute: (name: string) => `'${name}' is declared more than once: it becomes one column.`,
  keyType: (name: string) => `'${name}' cannot be a key with its data type: the table has no primary key.`,
  notIndexable: (name: string) => `'${name}' cannot be unique or indexed with its data type: it is neither.`,
  indexTooLong: (name: string) => `'${name}' is too long for an index: it gets none.`,
  keyShortened: (name: string, length: number) =>
    `'${name}' is part of a key: it takes at most ${length} characters on this database.`,
  lengthGiven: (name: string, length: number) =>
    `'${name}' has no max length: as it is a key, unique, indexed or referred to, it takes at most ${length} characters.`,
  lengthAsCheck: (name: string) => `'${name}' is stored as text with a checked length on this database.`,
  rowTooLong: (table: string) => `The table of '${table}' is wider than the database promises to store in one row.`,
  columnsLeftOut: (table: string, count: number, names: readonly string[]) =>
    `The table of '${table}' has ${count} columns, which are more than the database takes: ${leftOut(names)}.`,
  columnsTooMany: (table: string, count: number) =>
    `The table of '${table}' has ${count} columns that it or another table needs, which are more than the database takes.`,
  rowKey: (name: string) => `'${name}' gets no index and no constraint, as the row would be too long.`,
  tooManyKeys: (name: string, limit: number) =>
    `'${name}' gets no index and no constraint, as the database takes ${limit} keys in a table.`,
  choicesType: (name: string) => `The choices of '${name}' do not fit its data type: they are not checked.`,
  choicesUncompared: (name: string) =>
    `The choices of '${name}' are not checked, as the databases do not compare values of its data type.`,
  choicesUnheld: (name: string) => `A choice of '${name}' is left out, as this database has no such value.`,
  choicesTooLong: (name: string) => `The choices of '${name}' are too long for the database: they are not checked.`,
  choicesGenerated: (name: string) => `The choices of '${name}' are not checked, as its values are generated.`,
  defaultType: (name: string) => `The default value of '${name}' does not fit its column: it is left out.`,
  defaultGenerated: (name: string) => `The default value of '${name}' is left out, as its values are generated.`,
  emptyText: (name: string) => `The empty text of '${name}' is left out, as Oracle does not tell it from no value.`,
  singleEmptyRow: (name: string) =>
    `'${name}' is unique and referenced: SQL Server allows only one row without a value.`,
  jsonUnchecked: (name: string) =>
    `'${name}' is stored as text on this database, which does not check that it is JSON.`,
  unitsCounted: (name: string) =>
    `The length of '${name}' is counted in units of UTF-16 on this database: an emoji takes two of its characters.`,
  guidLetters: (name: string) => `'${name}' takes a guid in small letters only on this database.`,
  typeUnchecked: (name: string) =>
    `'${name}' takes values on this database that its data type does not have, as the table has too many checks.`,
  lengthUnchecked: (name: string) =>
    `'${name}' takes longer texts than its max length on this database, as the table has too many checks.`,
  trailingBlanks: (name: string) =>
    `'${name}' is unique, and this database takes values that differ in blanks at their end for one.`,
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
  setNullRequired: (name: string) =>
    `'${name}' must have a value: deleting what it refers to is refused instead of clearing it.`,
  cascadePath: (name: string) =>
    `Deleting what '${name}' refers to is refused: SQL Server takes no cycles and no second path of cascading deletes.`,
  renamed: (name: string, written: string) => `'${name}' is written as '${written}' on this database.`,
  commentShortened: (name: string) => `The description of '${name}' is longer than this database takes: it is cut.`,
  commentLeftOut: (name: string) =>
    `The description of '${name}' is left out, as the database has no room for it in the table's definition.`,
  guidLength: (name: string, length: number) =>
    `'${name}' is a guid and takes all its 36 characters: its max length of ${length} is not kept.`,
  commentChanged: (name: string) =>
    `The description of '${name}' has characters that this database or its tools do not take: they are written as others.`,
  numberShortened: (name: string, precision: number, scale: number) =>
    `'${name}' is stored with precision ${precision} and scale ${scale} on this database.`,
  numberRounded: (name: string, scale: number) =>
    `'${name}' is rounded to ${scale} digits behind the point on this database.`,
  notStrict: (name: string) =>
    `A server that is not in strict mode changes values of '${name}' that are too long or too large, instead of refusing them.`,
} as const

export type NoteCode = keyof typeof noteTexts

function leftOut(names: readonly string[]): string {
  const [first = ''] = names
  return names.length < 2 ? `'${first}' is left out` : `${names.length} are left out, '${first}' to '${names.at(-1)}'`
}

/** What becomes otherwise of any model that has such a column: worth knowing, nothing to mend. */
const differences: ReadonlySet<NoteCode> = new Set([
  'jsonUnchecked',
  'unitsCounted',
  'trailingBlanks',
  'guidLetters',
  'lengthAsCheck',
  'lengthGiven',
  'commentChanged',
  'numberRounded',
  'notStrict',
])

/** Collects notes about one table after the other. */
export type Notes = {
  readonly list: Note[]
  about(code: NoteCode, message: string, entity: EntitySource, attribute?: ColumnSource): void
  /** What was said of these attributes turned out otherwise. */
  takeBack(code: NoteCode, uids: ReadonlySet<string>): void
}

export function newNotes(): Notes {
  const list: Note[] = []
  return {
    list,
    about(code, message, entity, attribute) {
      const path: ProblemStep[] = [...entity.place]
      if (attribute) path.push({ kind: attribute.kind, uid: attribute.uid, name: attribute.name })
      list.push({ severity: differences.has(code) ? 'note' : 'warning', code, message: shortened(message), path })
    },
    takeBack(code, uids) {
      const kept = list.filter(note => note.code !== code || !uids.has(note.path.at(-1)?.uid ?? ''))
      list.length = 0
      for (const note of kept) list.push(note)
    },
  }
}

/** Names of any length and with any character may come from a file; a sentence stays readable. */
function shortened(whole: string): string {
  const message = visibleText(whole)
  return message.length <= 500 ? message : `${message.slice(0, 240)} … ${message.slice(-240)}`
}
