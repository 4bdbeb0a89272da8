import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import type { DocumentPlace } from '../../commands/DocumentLink.tsx'

export function targetPlace({ associatedEntityTypeAttributeUid: uid }: EntityAttribute): DocumentPlace {
  return uid === null ? {} : { row: { kind: 'typeAttribute', uid } }
}
