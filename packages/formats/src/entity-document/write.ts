import { entityDocument, type EntityDocument } from '@cadmus/model/entity-document'
import type { EntityContent } from '@cadmus/model/entity'
import { fileStem } from '../file-stem.ts'

/** Writes an entity as a JSON document and derives its file name. */
export function writeEntityDocument(
  entity: EntityContent,
  place: { path: string; version: string },
): { entityDoc: EntityDocument; fileName: string } {
  return { entityDoc: entityDocument(entity, place), fileName: `${fileStem(entity.name, 'entity')}.json` }
}
