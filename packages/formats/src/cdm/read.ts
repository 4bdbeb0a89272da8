import type { Files } from '../archive.ts'
import { ImportError, quoted } from '../import-error.ts'
import type { ImportedEntity, ImportedModel } from '../imported-model.ts'
import { loadFolder, type ReadOptions } from './folder.ts'
import { isObject, type JsonObject, listOf, nameOf } from './json.ts'
import type { ReportLine } from './report.ts'
import { toModel } from './to-model.ts'
import { reportUnlisted } from './unlisted.ts'

/**
 * Reads a CDM folder or archive (`Map` of texts or bytes by path). Runs synchronously, so servers should call it in a
 * worker. Returns plain data; unsupported content is listed in the report. Throws ImportError if nothing can be
 * imported.
 */
export function readCdm(files: Files, options: ReadOptions = {}): ImportedModel {
  const folder = loadFolder(files, options)
  reportUnlisted(folder, options)
  return toModel(folder, options)
}

/**
 * Reads the entity of a single CDM document without its folder: the one named as the file, otherwise the first.
 * Reports references to other documents as missing. Throws ImportError if the document defines no entity.
 */
export function readSingleDocument(
  json: JsonObject,
  fileName: string,
): { entity: ImportedEntity; report: ReportLine[] } {
  const names = listOf(json['definitions']).flatMap(item => (isObject(item) ? (nameOf(item['entityName']) ?? []) : []))
  const stem = fileName.slice(fileName.lastIndexOf('/') + 1).replace(/(?:\.cdm)?\.json$/i, '')
  const name = names.find(one => one.toLowerCase() === stem.toLowerCase()) ?? names[0]
  if (name === undefined) {
    throw new ImportError('not-an-entity', `${quoted(fileName)} is a CDM document that defines no entity.`)
  }
  const path = 'document.cdm.json'
  const manifest = {
    manifestName: 'single',
    entities: [{ type: 'LocalEntity', entityName: name, entityPath: `${path}/${name}` }],
  }
  const files = new Map([
    ['single.manifest.cdm.json', JSON.stringify(manifest)],
    [path, JSON.stringify(json)],
  ])
  const model = toModel(loadFolder(files))
  const [entity] = model.entities
  if (!entity) throw new ImportError('not-an-entity', `${quoted(fileName)} is a CDM document that defines no entity.`)
  const others = new Set(names).size - 1
  const what = others === 1 ? 'one more entity' : `${others} more entities`
  const message = `The file defines ${what}; only ${quoted(name)} was read.`
  const left: ReportLine[] = others > 0 ? [{ level: 'warning', kind: 'lost', path: fileName, message }] : []
  return {
    entity,
    report: [...left, ...model.report.map(line => ({ ...line, path: line.path.replace(path, fileName) }))],
  }
}
