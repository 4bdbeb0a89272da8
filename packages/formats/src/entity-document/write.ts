import { entityDocument, type EntityDocument } from '@cadmus/model/entity-document'
import type { EntityContent } from '@cadmus/model/entity'
import { fileStem } from '../file-stem.ts'

export function writeEntityDocument(
  entity: EntityContent,
  place: { path: string; version: string },
): { entityDoc: EntityDocument; fileName: string } {
  return { entityDoc: entityDocument(entity, place), fileName: `${fileStem(entity.name, 'entity')}.json` }
}
