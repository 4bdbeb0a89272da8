import type { Dialect } from './dialect.ts'
import { noteTexts, type Notes } from './notes.ts'
import type { Column, Schema, Table } from './tree.ts'

/** Notes on each column whose values the database counts, compares or checks differently from the model. */
export function noteDifferences(table: Table, dialect: Dialect, notes: Notes): void {
  const countsUnits = dialect.textSize('😀') !== 1
  if (!countsUnits && !dialect.ignoresTrailingSpaces && dialect.checksJson && dialect.foldsGuids) return
  const chosen = new Set(table.checks.map(({ column }) => column))
  const unique = uniqueColumns(table)
  for (const column of table.columns) {
    const { name, source, type } = column
    if (type.kind === 'json' && !dialect.checksJson) {
      notes.about('jsonUnchecked', noteTexts.jsonUnchecked(source.name), table.source, source)
    }
    if (type.kind === 'guid' && !dialect.foldsGuids) {
      notes.about('guidLetters', noteTexts.guidLetters(source.name), table.source, source)
    }
    if (countsUnits && hasOwnLength(column, dialect) && !chosen.has(name)) {
      notes.about('unitsCounted', noteTexts.unitsCounted(source.name), table.source, source)
    }
    if (type.kind === 'varchar' && !type.isFixed && dialect.ignoresTrailingSpaces && unique.has(name)) {
      notes.about('trailingBlanks', noteTexts.trailingBlanks(source.name), table.source, source)
    }
  }
}

/** Notes once per schema that a server may not be strict: a script cannot set this for later sessions. */
export function noteLenience(limited: Table | undefined, { name }: Pick<Schema, 'name'>, notes: Notes): void {
  if (!limited) return
  const { source } = limited
  notes.about('notStrict', noteTexts.notStrict(name), { ...source, place: source.place.slice(0, 1) })
}

/**
 * Whether the model limits texts or numbers of the table. A foreign key has the limit of its target, which is reported
 * there.
 */
export function isLimited({ columns }: Table): boolean {
  return columns.some(({ type, source }) => {
    if (source.kind === 'entityAttribute') return false
    if (type.kind === 'integer') return type.bits < 64 || type.digits !== undefined
    return type.kind === 'varchar' || type.kind === 'decimal'
  })
}

function uniqueColumns({ primaryKey, uniques, indexes }: Table): ReadonlySet<string> {
  const keys = [...(primaryKey ? [primaryKey] : []), ...uniques, ...indexes.filter(index => index.unique)]
  return new Set(keys.flatMap(({ columns }) => columns))
}

/** Whether the database counts the column's own length; a foreign key has the length of its target. */
function hasOwnLength({ source, type }: Column, dialect: Dialect): boolean {
  if (source.kind === 'entityAttribute') return false
  return type.kind === 'varchar' || (type.kind === 'text' && type.length !== undefined && !dialect.checksCharacters)
}
