import { type EntityContent, newEntityContent } from '@cadmus/model/entity'
import { entityDocument, type EntityDocument, entityDocumentForm } from '@cadmus/model/entity-document'
import { messages } from '@cadmus/model/messages'
import { readStored, StoredFormError } from '@cadmus/model/stored/stored-form'
import { parseVersion } from '@cadmus/model/version'
import { bounds } from './cdm/bounds.ts'
import { isObject, type JsonObject, listOf, parseJson, textOf } from './cdm/json.ts'
import { readSingleDocument } from './cdm/read.ts'
import type { ReportLine } from './cdm/report.ts'
import { fileStem } from './export-writer.ts'
import { ImportError, quoted } from './import-error.ts'

/** An entity read from a file. References identify entities by path and have `id` -1. */
export type ReadEntity = {
  content: EntityContent
  /** Original path of the entity, in the product or the corpus; null if the file does not state it. */
  path: string | null
  version: string | null
  report: ReportLine[]
}

/**
 * Reads one entity from a file: the product's own format, which preserves uids, or a CDM document (`.cdm.json`),
 * whose entity named as the file is read. Throws ImportError for any other content.
 */
export function readEntityDocument(bytes: Uint8Array | string, fileName: string): ReadEntity {
  const repeated: ReportLine[] = []
  const onRepeated = (message: string) =>
    void repeated.push({ level: 'warning', kind: 'changed', path: fileName, message })
  const json = parseJson(bytes, fileName, { maxContainers: bounds.entityContainers, onRepeated })
  if (!isObject(json)) throw invalid()
  if (json['document'] === 'cadmus-entity') return readOwn(json, repeated)
  if (!Array.isArray(json['definitions'])) throw invalid()
  const { entity, report } = readSingleDocument(json, fileName)
  const parent = entity.extendsEntity
  const content = newEntityContent({
    name: entity.name,
    description: entity.description,
    extendsEntity: parent === null ? null : { id: -1, name: parent.slice(parent.lastIndexOf('/') + 1), path: parent },
    referenceImportPaths: entity.referenceImportPaths,
    traits: entity.traits,
    typeAttributes: entity.typeAttributes,
    entityAttributes: entity.entityAttributes,
  })
  return { content, path: null, version: null, report: [...repeated, ...report] }
}

function readOwn(json: JsonObject, repeated: readonly ReportLine[]): ReadEntity {
  const { entity: content, version, path } = readDocument(json)
  if (content.name.trim() === '')
    throw new ImportError('not-an-entity', `${messages.failed.entityContent}: it has no name.`)
  return {
    content,
    path: textOf(path) ?? null,
    version: textOf(version) ?? null,
    report: [...repeated, ...reportInvalidVersion(version), ...unknownFields(json, content)],
  }
}

function readDocument(json: JsonObject) {
  try {
    return readStored(entityDocumentForm, json)
  } catch (error) {
    if (!(error instanceof StoredFormError) || error.actual === error.expected) throw invalid()
    throw new ImportError('not-an-entity', `${messages.failed.entityContent}: ${error.reason}.`)
  }
}

function reportInvalidVersion(value: unknown): ReportLine[] {
  if (value === undefined || value === null) return []
  const text = textOf(value) ?? JSON.stringify(value)
  if (parseVersion(text)) return []
  const message = `Its version ${quoted(text)} is invalid; it was left out.`
  return [{ level: 'warning', kind: 'lost', path: 'version', message }]
}

function invalid(): ImportError {
  return new ImportError('not-an-entity', messages.failed.entityContent)
}

const ofDocument = new Set(['document', 'format', 'version', 'path', 'entity'])
const maxLines = 100

/** Reports each field of an entity's document that was not imported; list items share one line per field. */
function unknownFields(json: JsonObject, content: EntityContent): ReportLine[] {
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
    return { level: 'warning', kind: 'lost', path, message: `${where} not supported; it was left out.` }
  })
  const more = all.length - lines.length
  const message = `${more} more fields are not supported; they were left out.`
  return more > 0 ? [...lines, { level: 'warning', kind: 'lost', path: '', message }] : lines
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

export function writeEntityDocument(
  entity: EntityContent,
  place: { path: string; version: string },
): { entityDoc: EntityDocument; fileName: string } {
  return { entityDoc: entityDocument(entity, place), fileName: `${fileStem(entity.name, 'entity')}.json` }
}
