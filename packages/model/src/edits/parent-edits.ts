import type { OnReferences } from '../detach.ts'
import type { EntityContent } from '../entity.ts'
import type { EntityReference } from '../entity-attribute.ts'
import { type InheritedKey, inheritsKey, withRestoredKey, withoutSecondKey } from '../one-key.ts'
import { isPrimaryKey } from '../type-attribute.ts'
import { removeAttributesEdits } from './attribute-edits.ts'
import { entityEditsBetween } from './edits-between.ts'
import type { EntityEdit } from './entity-edit.ts'

// Edits that set or remove the parent, with the effect on the primary key. `keys`: keys of the new or former parent.

/** Uid of the automatic key that a parent with these keys replaces; undefined without one. */
export function replacedKeyOf(content: EntityContent, keys: readonly InheritedKey[]): string | undefined {
  const left = withoutSecondKey(content, keys)
  return left === content ? undefined : content.typeAttributes.find(isPrimaryKey)?.uid
}

/** Sets the parent. `onReferences`: how relationships to the replaced key are handled. */
export function setParentEdits(
  content: EntityContent,
  { parent, keys }: { parent: EntityReference; keys: readonly InheritedKey[] },
  onReferences?: OnReferences,
): EntityEdit[] {
  const replacedKey = replacedKeyOf(content, keys)
  return [
    { kind: 'changeEntity', change: { extendsEntity: parent } },
    ...(replacedKey === undefined ? [] : removeAttributesEdits([replacedKey], onReferences)),
  ]
}

/**
 * Removes the parent and restores the automatic key if the inherited one is lost. `onReferences`: how references to inherited columns are
 * handled, by uid.
 */
export function removeParentEdits(
  content: EntityContent,
  keys: readonly InheritedKey[],
  onReferencesByUid: Readonly<Record<string, OnReferences>> = {},
): EntityEdit[] {
  const onReferences = Object.keys(onReferencesByUid).length > 0 ? { onReferences: { ...onReferencesByUid } } : {}
  const added = inheritsKey(content, keys) ? entityEditsBetween(content, withRestoredKey(content)) : []
  return [{ kind: 'changeEntity', change: { extendsEntity: null }, ...onReferences }, ...added]
}
