import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import type { DocumentPlace } from '../../commands/DocumentLink.tsx'

/** Place of the attribute that the foreign key references. */
export function targetPlace({ associatedEntityTypeAttributeUid: uid }: EntityAttribute): DocumentPlace {
  return uid === null ? {} : { row: { kind: 'typeAttribute', uid } }
}
