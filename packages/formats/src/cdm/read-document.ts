import { ImportError, quoted } from '../import-error.ts'
import type { ImportedEntity } from '../imported-model.ts'
import { isObject, listOf, nameOf, type JsonObject } from './json.ts'
import { loadFolder } from './folder.ts'
import type { ReportLine } from './report.ts'
import { toModel } from './to-model.ts'

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
  const left: ReportLine[] = others > 0 ? [{ level: 'warning', path: fileName, message }] : []
  return {
    entity,
    report: [...left, ...model.report.map(line => ({ ...line, path: line.path.replace(path, fileName) }))],
  }
}
