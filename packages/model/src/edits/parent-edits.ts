import type { OnReferences } from '../detach.ts'
import type { EntityContent } from '../entity.ts'
import type { EntityReference } from '../entity-attribute.ts'
import { type InheritedKey, inheritsKey, withKeyAgain, withoutSecondKey } from '../one-key.ts'
import { isPrimaryKey } from '../type-attribute.ts'
import { attributesRemoved } from './attribute-edits.ts'
import { entityEditsBetween } from './edits-between.ts'
import type { EntityEdit } from './entity-edit.ts'

// What it means for the key that an entity extends another one, or no longer does. `keys` are those of what it extends.

/** The automatic key that goes where it extends an entity with these keys; undefined where none does. */
export function keyThatGoes(content: EntityContent, keys: readonly InheritedKey[]): string | undefined {
  const left = withoutSecondKey(content, keys)
  return left === content ? undefined : content.typeAttributes.find(isPrimaryKey)?.uid
}

/** It extends that entity. `onReferences`: what becomes of relationships to a key that goes. */
export function parentSet(
  content: EntityContent,
  { parent, keys }: { parent: EntityReference; keys: readonly InheritedKey[] },
  onReferences?: OnReferences,
): EntityEdit[] {
  const gone = keyThatGoes(content, keys)
  return [
    { kind: 'changeEntity', change: { extendsEntity: parent } },
    ...(gone === undefined ? [] : attributesRemoved([gone], onReferences)),
  ]
}

/** It extends nothing; with the inherited key gone it has its automatic one. `said`: what becomes of what refers to inherited columns. */
export function parentRemoved(
  content: EntityContent,
  keys: readonly InheritedKey[],
  said: Readonly<Record<string, OnReferences>> = {},
): EntityEdit[] {
  const onReferences = Object.keys(said).length > 0 ? { onReferences: { ...said } } : {}
  const added = inheritsKey(content, keys) ? entityEditsBetween(content, withKeyAgain(content)) : []
  return [{ kind: 'changeEntity', change: { extendsEntity: null }, ...onReferences }, ...added]
}
