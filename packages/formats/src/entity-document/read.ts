import { readStored, StoredFormError } from '@cadmus/model/stored/stored-form'
import { newEntityContent, type EntityContent } from '@cadmus/model/entity'
import { messages } from '@cadmus/model/messages'
import { parseVersion } from '@cadmus/model/version'
import { ImportError, quoted } from '../import-error.ts'
import { bounds } from '../cdm/bounds.ts'
import { readSingleDocument } from '../cdm/read-document.ts'
import { isObject, parseJson, textOf, type JsonObject } from '../cdm/json.ts'
import type { ReportLine } from '../cdm/report.ts'
import { entityDocumentForm } from '@cadmus/model/entity-document'
import { unknownFields } from './unknown-fields.ts'

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
  const onRepeated = (message: string) => void repeated.push({ level: 'warning', path: fileName, message })
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
  return [{ level: 'warning', path: 'version', message }]
}

function invalid(): ImportError {
  return new ImportError('not-an-entity', messages.failed.entityContent)
}
