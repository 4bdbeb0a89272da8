import { textTexts } from '../messages/text.ts'
import { foldName } from '../paths.ts'
import { type FurtherColumn, furtherText, type Outside } from './line.ts'
import type {
  Endpoint,
  ParsedColumn,
  ParsedReference,
  ParsedTable,
  ParsedText,
  Report,
  Setting,
} from './parsed-text.ts'

/** What blocks `Ref` and `indexes` write of columns, by column. */
export function outsideOf({ tables, references }: ParsedText, report: Report): Map<ParsedColumn, Outside> {
  const all = new Map<ParsedColumn, Outside>()
  const outside = (column: ParsedColumn) => {
    const one = all.get(column) ?? { references: [], settings: [] }
    all.set(column, one)
    return one
  }
  const columns = new ColumnsByName(tables)
  for (const reference of references) {
    const read = readReference(reference, columns, report)
    if (!read) continue
    const { references: ends, settings } = outside(read.column)
    ends.push(read.target)
    settings.push(...reference.settings.filter(({ key }) => key === 'delete' || key === 'update'))
    if (read.further.length > 0) settings.push(furtherSetting(read.further, reference))
    if (reference.sign === '-') settings.push({ key: 'unique', value: [], from: reference.from, to: reference.to })
  }
  for (const table of tables) {
    for (const index of table.indexes) {
      const [name, ...others] = index.columns
      const isKey = index.settings.some(({ key }) => key === 'pk' || key === 'primary key')
      if (isKey && others.length > 0) report(index, textTexts.keyOverColumns)
      const column = others.length === 0 && name ? columns.of(table, name.text) : undefined
      if (column) outside(column).settings.push(...indexSettings(index, isKey))
    }
  }
  return all
}

function indexSettings({ settings, from, to }: ParsedTable['indexes'][number], isKey: boolean): Setting[] {
  const own = settings.filter(({ key }) => key === 'unique' || key === 'pk' || key === 'primary key')
  return isKey || own.length > 0 ? own : [{ key: 'indexed', value: [], from, to }]
}

/** The column with the foreign key, and the end that it refers to; undefined with a problem. */
function readReference(
  { left, sign, right, from, to }: ParsedReference,
  columns: ColumnsByName,
  report: Report,
): { column: ParsedColumn; target: Endpoint; further: FurtherColumn[] } | undefined {
  const place = { from, to }
  const ends = [left, right].map(end => columns.at(end))
  if (sign === '<>') report(place, textTexts.manyToMany)
  else if (left.columns.length !== right.columns.length && left.columns.length + right.columns.length > 2)
    report(place, textTexts.manyColumns)
  else {
    // Of a one-to-one reference, the end that is no key has the foreign key, or the second one.
    const isRight = sign === '<' || (sign === '-' && !(hasKey(ends[1]) && !hasKey(ends[0])))
    const [column, target, own] = isRight ? [ends[1], left, right] : [ends[0], right, left]
    const further = own.columns
      .slice(1)
      .map(({ text }, at) => ({ name: text, target: target.columns[at + 1]?.text ?? '' }))
    if (column) return { column, target: { ...target, columns: target.columns.slice(0, 1), from, to }, further }
    report(own, textTexts.unknownColumn(`${own.table.text}.${own.columns[0]?.text ?? ''}`))
  }
  return undefined
}

function furtherSetting(further: readonly FurtherColumn[], { from, to }: ParsedReference): Setting {
  return { key: 'also', value: [{ kind: 'string', text: furtherText(further), from, to }], from, to }
}

function hasKey(column: ParsedColumn | undefined): boolean {
  return column?.settings.some(({ key }) => key === 'pk' || key === 'primary key') ?? false
}

class ColumnsByName {
  readonly #tables = new Map<string, ParsedTable>()
  readonly #columns = new Map<ParsedTable, ReadonlyMap<string, ParsedColumn>>()

  constructor(tables: readonly ParsedTable[]) {
    for (const table of tables) {
      this.#tables.set(foldName(table.name.text), table)
      if (table.alias !== null) this.#tables.set(foldName(table.alias), table)
    }
  }

  at({ table: name, columns }: Endpoint): ParsedColumn | undefined {
    const table = this.#tables.get(foldName(name.text))
    return table && this.of(table, columns[0]?.text ?? '')
  }

  of(table: ParsedTable, name: string): ParsedColumn | undefined {
    const known = this.#columns.get(table) ?? new Map(table.columns.map(column => [foldName(column.name.text), column]))
    this.#columns.set(table, known)
    return known.get(foldName(name))
  }
}
