import type { EntityContent } from '@cadmus/model/entity'
import { quoted } from '../import-error.ts'
import { isObject, listOf, type JsonObject } from '../cdm/json.ts'
import type { ReportLine } from '../cdm/report.ts'

const ofDocument = new Set(['document', 'format', 'version', 'path', 'entity'])
const maxLines = 100

/** Reports each field of an entity's document that was not imported; list items share one line per field. */
export function unknownFields(json: JsonObject, content: EntityContent): ReportLine[] {
  const counts = new Map<string, { path: string; key: string; count: number }>()
  const add = (place: string, path: string, key: string) => {
    const existing = counts.get(`${place}\n${key}`)
    if (existing) existing.count += 1
    else counts.set(`${place}\n${key}`, { path, key, count: 1 })
  }
  for (const key of Object.keys(json)) if (!ofDocument.has(key)) add('', key, key)
  compare(json['entity'], content, { place: '', path: '' }, add)
  const all = [...counts.values()]
  const lines = all.slice(0, maxLines).map(({ path, key, count }): ReportLine => {
    const where =
      count === 1 ? `The field ${quoted(key)} is` : `The field ${quoted(key)}, which occurs ${count} times, is`
    return { level: 'warning', path, message: `${where} not supported; it was left out.` }
  })
  const more = all.length - lines.length
  const message = `${more} more fields are not supported; they were left out.`
  return more > 0 ? [...lines, { level: 'warning', path: '', message }] : lines
}

type At = {
  /** Place without item names, because all items of a list have the same fields. */
  place: string
  path: string
}

/** Values that were imported unchanged, such as traits, are identical in both. */
function compare(input: unknown, read: unknown, at: At, add: (place: string, path: string, key: string) => void): void {
  if (input === read) return
  if (Array.isArray(input)) {
    const items = listOf(read)
    input.forEach((item, index) => compare(item, items[index], { ...at, path: `${at.path}.${nameOf(item)}` }, add))
    return
  }
  if (!isObject(input) || !isObject(read)) return
  for (const [key, value] of Object.entries(input)) {
    const inner = { place: `${at.place}.${key}`, path: at.path === '' ? key : `${at.path}.${key}` }
    if (!Object.hasOwn(read, key)) add(at.place, inner.path, key)
    else compare(value, read[key], inner, add)
  }
}

function nameOf(item: unknown): string {
  const name = isObject(item) ? (item['name'] ?? item['foreignKeyTypeAttribute']) : undefined
  return typeof name === 'string' ? name : ''
}
