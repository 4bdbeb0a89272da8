import { readCdm } from '../cdm/read.ts'
import { cdmFolder, document, entityOf, manifest } from './cdm-folder.ts'

type Json = Record<string, unknown>

/** What is read of an entity `Thing` of these members, among definitions of its document, and of `more` that the document imports; the report as lines. */
export function readThing(members: unknown[], definitions: Json[] = [], more: Json = {}) {
  const thing = { entityName: 'Thing', hasAttributes: members }
  const model = readCdm(
    cdmFolder({
      'm.manifest.cdm.json': manifest('Model', ['Thing.cdm.json/Thing']),
      'Thing.cdm.json': document([...definitions, thing], Object.keys(more)),
      ...more,
    }),
  )
  const report = model.report.map(({ path, message }) => `${path.replace('Thing.cdm.json/', '')}: ${message}`)
  return { attributes: entityOf(model, 'Thing').typeAttributes, report }
}
