import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import type { DocumentPlace } from '../../commands/DocumentLink.tsx'

/** Where in the associated entity the attribute is that the foreign key points at. */
export function targetPlace({ associatedEntityTypeAttributeUid: uid }: EntityAttribute): DocumentPlace {
  return uid === null ? {} : { row: { kind: 'typeAttribute', uid } }
}
