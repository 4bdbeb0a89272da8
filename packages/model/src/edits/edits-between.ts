import type { EntityContent } from '../entity.ts'
import { attributeFields, ownFields, relationshipFields, scopeFields, type EntityEdit } from './entity-edit.ts'
import { reinsertionsOf, valuesOf, type ItemChange } from './lists.ts'
import { uidOf } from './uid-of.ts'

/**
 * Edits that turn one state of an entity into another, by uid and field: turns complete contents (from requests, files,
 * merges) into edits. Compares positions; the order of the lists may differ.
 */
export function entityEditsBetween(before: EntityContent, after: EntityContent): EntityEdit[] {
  const own = valuesOf(after, before, ownFields)
  const scopes = valuesOf(after.operationScopes, before.operationScopes, scopeFields)
  const attributes = itemsBetween(before.typeAttributes, after.typeAttributes)
  const relationships = itemsBetween(before.entityAttributes, after.entityAttributes)
  const edits: EntityEdit[] = [
    { kind: 'changeEntity', change: own },
    { kind: 'changeScopes', change: scopes },
    // Removals first: an attribute that became a foreign key, or the reverse, keeps its uid.
    { kind: 'removeAttributes', uids: attributes.removed },
    { kind: 'removeRelationships', uids: relationships.removed },
    { kind: 'addAttributes', added: attributes.added },
    { kind: 'addRelationships', added: relationships.added },
    { kind: 'changeAttributes', changes: changesIn(attributes.common, attributeFields) },
    { kind: 'changeRelationships', changes: changesIn(relationships.common, relationshipFields) },
    { kind: 'moveColumns', places: [...moves(attributes.common), ...moves(relationships.common)] },
  ]
  return edits.filter(hasEffect)
}

/** Items in both states. */
type Common<T> = readonly { from: T; to: T }[]

function itemsBetween<T extends { uid: string }>(before: readonly T[], after: readonly T[]) {
  const old = new Map(before.map(item => [item.uid, item]))
  const fresh = new Set(after.flatMap(({ uid }) => (old.has(uid) ? [] : [uid])))
  const there = new Set(after.map(uidOf))
  return {
    removed: before.map(uidOf).filter(uid => !there.has(uid)),
    added: reinsertionsOf(after, fresh, uidOf),
    common: after.flatMap(to => {
      const from = old.get(to.uid)
      return from && from !== to ? [{ from, to }] : []
    }),
  }
}

function changesIn<T extends { uid: string }, K extends keyof T>(
  common: Common<T>,
  fields: readonly K[],
): ItemChange<{ [field in K]?: T[field] }>[] {
  return common.flatMap(({ from, to }) => {
    const change = valuesOf(to, from, fields)
    return Object.keys(change).length > 0 ? [{ uid: to.uid, change }] : []
  })
}

function moves(common: Common<{ uid: string; position: number }>): { uid: string; position: number }[] {
  return common
    .filter(({ from, to }) => from.position !== to.position)
    .map(({ to }) => ({ uid: to.uid, position: to.position }))
}

function hasEffect(edit: EntityEdit): boolean {
  if ('change' in edit) return Object.keys(edit.change).length > 0
  if ('added' in edit) return edit.added.length > 0
  if ('uids' in edit) return edit.uids.length > 0
  return 'changes' in edit ? edit.changes.length > 0 : edit.places.length > 0
}
