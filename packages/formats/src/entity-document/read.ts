import { upgradeEntityContent } from '@cadmus/model/content'
import { newEntityContent, type EntityContent } from '@cadmus/model/entity'
import { messages } from '@cadmus/model/messages'
import { ImportError } from '../import-error.ts'
import { bounds } from '../cdm/bounds.ts'
import { readSingleDocument } from '../cdm/read-document.ts'
import { isObject, parseJson, textOf, type JsonObject } from '../cdm/json.ts'
import type { ReportLine } from '../cdm/report.ts'
import { entityDocumentFormat } from '@cadmus/model/entity-document'

/** An entity that a file brings. References name entities by their paths; their `id` is -1. */
export type ReadEntity = {
  content: EntityContent
  /** Where the entity was, as a path of the product or a corpus path; null where the file does not say. */
  path: string | null
  version: string | null
  report: ReportLine[]
}

/**
 * Reads one entity from a file: our own document, which keeps its uids, or a CDM document (`.cdm.json`), in which the entity of
 * the file's name counts. Throws ImportError where it is neither.
 */
export function readEntityDocument(bytes: Uint8Array | string, fileName: string): ReadEntity {
  const json = parseJson(bytes, fileName, { most: bounds.entityContainers })
  if (!isObject(json)) throw invalid()
  if (json['document'] === 'cadmus-entity') return readOwn(json)
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
  return { content, path: null, version: null, report }
}

function readOwn(json: JsonObject): ReadEntity {
  if (json['format'] !== entityDocumentFormat) {
    throw new ImportError(
      'not-an-entity',
      `${messages.failed.entityContent}: it was written in a form that is not known here.`,
    )
  }
  return {
    content: contentOf(json['entity']),
    path: textOf(json['path']) ?? null,
    version: textOf(json['version']) ?? null,
    report: [],
  }
}

function contentOf(json: unknown): EntityContent {
  try {
    return upgradeEntityContent(json)
  } catch {
    throw invalid()
  }
}

function invalid(): ImportError {
  return new ImportError('not-an-entity', messages.failed.entityContent)
}
