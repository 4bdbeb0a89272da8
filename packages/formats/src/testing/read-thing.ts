import { readCdm } from '../cdm/read.ts'
import { cdmFolder, document, entityOf, manifest } from './cdm-folder.ts'

type Json = Record<string, unknown>

/**
 * Reads an entity `Thing` with the given members and further definitions in its document; `more` holds documents that
 * it imports. Returns attributes and report lines.
 */
export function readThing(members: unknown[], definitions: Json[] = [], more: Json = {}) {
  const entity = { entityName: 'Thing', hasAttributes: members }
  const model = readCdm(
    cdmFolder({
      'm.manifest.cdm.json': manifest('Model', ['Thing.cdm.json/Thing']),
      'Thing.cdm.json': document([...definitions, entity], Object.keys(more)),
      ...more,
    }),
  )
  const report = model.report.map(({ path, message }) => `${path.replace('Thing.cdm.json/', '')}: ${message}`)
  return { attributes: entityOf(model, 'Thing').typeAttributes, report }
}
