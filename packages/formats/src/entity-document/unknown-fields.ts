import type { EntityContent } from '@cadmus/model/entity'
import { quoted } from '../import-error.ts'
import { isObject, listOf, type JsonObject } from '../cdm/json.ts'
import type { ReportLine } from '../cdm/report.ts'

const ofDocument = new Set(['document', 'format', 'version', 'path', 'entity'])
/** Lines that one file may have of them. */
const most = 100

/** A line for each field of an entity's document that is not in what was read of it; of the items of a list one for all. */
export function unknownFields(json: JsonObject, content: EntityContent): ReportLine[] {
  const found = new Map<string, { path: string; key: string; count: number }>()
  const add = (place: string, path: string, key: string) => {
    const known = found.get(`${place}\n${key}`)
    if (known) known.count += 1
    else found.set(`${place}\n${key}`, { path, key, count: 1 })
  }
  for (const key of Object.keys(json)) if (!ofDocument.has(key)) add('', key, key)
  compare(json['entity'], content, { place: '', path: '' }, add)
  const all = [...found.values()]
  const lines = all.slice(0, most).map(({ path, key, count }): ReportLine => {
    const where =
      count === 1 ? `The field ${quoted(key)} is` : `The field ${quoted(key)}, which stands at ${count} places, is`
    return { level: 'warning', path, message: `${where} not known; it was left out.` }
  })
  const more = all.length - lines.length
  const message = `${more} more fields are not known; they were left out.`
  return more > 0 ? [...lines, { level: 'warning', path: '', message }] : lines
}

type At = {
  /** The place without the names of items, which have the same fields. */
  place: string
  path: string
}

/** Values that were taken as they are, as traits, are the same in both. */
function compare(given: unknown, read: unknown, at: At, add: (place: string, path: string, key: string) => void): void {
  if (given === read) return
  if (Array.isArray(given)) {
    const items = listOf(read)
    given.forEach((item, index) => compare(item, items[index], { ...at, path: `${at.path}.${nameOf(item)}` }, add))
    return
  }
  if (!isObject(given) || !isObject(read)) return
  for (const [key, value] of Object.entries(given)) {
    const inner = { place: `${at.place}.${key}`, path: at.path === '' ? key : `${at.path}.${key}` }
    if (!Object.hasOwn(read, key)) add(at.place, inner.path, key)
    else compare(value, read[key], inner, add)
  }
}

function nameOf(item: unknown): string {
  const name = isObject(item) ? (item['name'] ?? item['foreignKeyTypeAttribute']) : undefined
  return typeof name === 'string' ? name : ''
}
