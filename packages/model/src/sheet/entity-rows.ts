import { columnName, columnsOf, isTypeAttribute } from '../columns.ts'
import type { EntityContent } from '../entity.ts'
import { limits } from '../limits.ts'
import { sheetTexts } from '../messages/sheet.ts'
import { isAutomaticKey } from '../one-key.ts'
import { foldName } from '../paths.ts'
import { entityName } from '../rules/names.ts'
import type { Cells } from './clipboard.ts'
import { type Heading, headingsOf } from './headings.ts'

/** The rows of a list for one entity, below the headings of the list. */
export type EntityRows = { entity: string; cells: Cells }

/** The names of the rows' entities: a blank cell continues the one above, as merged cells do. Undefined without such a column. */
export function entityNames(headings: readonly Heading[], rows: Cells): string[] | undefined {
  const index = headings.indexOf('entity')
  if (index < 0) return undefined
  let last = ''
  return rows.map(line => {
    last = line[index]?.trim() || last
    return last
  })
}

/** The rows of a list of attributes by the entities that its rows name, in the order of the list, or why it is none. */
export function rowsByEntity([first = [], ...rows]: Cells): { entities: EntityRows[] } | { refusal: string } {
  const headings = headingsOf(first)
  const names = headings && entityNames(headings, rows)
  if (!names) return { refusal: sheetTexts.noEntityColumn }
  const groups = new Map<string, { entity: string; cells: [readonly string[], ...(readonly string[])[]] }>()
  for (const [at, line] of rows.entries()) {
    if (line.every(text => text.trim() === '')) continue
    const entity = names[at] ?? ''
    if (entity === '') return { refusal: sheetTexts.rowWithoutEntity(at + 2) }
    const group = groups.get(foldName(entity)) ?? { entity, cells: [first] }
    groups.set(foldName(entity), group)
    group.cells.push(line)
  }
  const entities = [...groups.values()]
  if (entities.length > limits.paste.entities)
    return { refusal: sheetTexts.tooManyEntities(limits.paste.entities, entities.length) }
  const faults = entities.flatMap(({ entity }) => {
    const reason = entityName(entity)
    return reason === undefined ? [] : [{ entity, reason }]
  })
  return faults.length > 0 ? { refusal: sheetTexts.entityNames(faults) } : { entities }
}

/** The rows that an entity does not have by their names, and the names of the others. A row of the automatic key describes the key. */
export function newRows(
  content: EntityContent,
  headings: readonly Heading[],
  rows: Cells,
): { rows: Cells; existing: readonly string[] } {
  const index = headings.findIndex(heading => typeof heading === 'object' && heading.id === 'name')
  const own = columnsOf(content).filter(column => !isTypeAttribute(column) || !isAutomaticKey(column))
  const taken = new Set(own.map(column => foldName(columnName(column))))
  const nameIn = (line: readonly string[]) => line[index]?.trim() ?? ''
  const isTaken = (line: readonly string[]) => taken.has(foldName(nameIn(line)))
  return { rows: rows.filter(line => !isTaken(line)), existing: rows.filter(isTaken).map(nameIn) }
}
