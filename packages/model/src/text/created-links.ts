import type { EntityEdit } from '../edits/entity-edits.ts'
import type { EntityAttribute } from '../entity-attribute.ts'
import { newEntityId } from './targets.ts'

type Created = ReadonlyMap<string, { id: number; name: string; path: string }>

/** The edits of `TextReading.links` with the created entities, by uid, in place of the new ones. */
export function linksTo(edits: readonly EntityEdit[], created: Created): EntityEdit[] {
  const linked = <T extends { associatedEntity?: EntityAttribute['associatedEntity'] | undefined }>(item: T): T => {
    const { id = 0, uid = '' } = item.associatedEntity ?? {}
    const entity = id === newEntityId ? created.get(uid) : undefined
    return entity ? { ...item, associatedEntity: { id: entity.id, name: entity.name, path: entity.path } } : item
  }
  return edits.map(edit => {
    if (edit.kind === 'addRelationships')
      return { ...edit, added: edit.added.map(({ item, before }) => ({ item: linked(item), before })) }
    if (edit.kind !== 'changeRelationships') return edit
    return { ...edit, changes: edit.changes.map(({ uid, change }) => ({ uid, change: linked(change) })) }
  })
}
