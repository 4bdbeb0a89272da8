import { typeAttributeAnswerOf } from './apply-request.ts'
import { canonicalJson } from './content.ts'
import type { EntityAnswer } from './contract/entity-shapes.ts'
import type { EntityStateAnswer } from './contract/contents.ts'
import { type EntityContent, primaryKeyOf } from './entity.ts'
import { type ResolvedAttribute, resolvedAttributes } from './inherit.ts'

/** What an answer says of an entity besides its content. */
export type EntityPlace = Pick<
  EntityAnswer,
  'id' | 'path' | 'isDefault' | 'targetManifest' | 'versions' | 'latestVersion' | 'currentVersion'
>

/** An entity as answered. `resolved`: undefined leaves them out, and with them the inherited key. */
export function entityAnswerOf(
  content: EntityContent,
  place: EntityPlace,
  resolved?: EntityAnswer['resolvedAttributes'],
): EntityAnswer {
  const { format: _format, traits: _traits, referenceImportPaths: imports, ...own } = content
  const { isDefault } = place
  const byPosition = (a: { position: number }, b: { position: number }) => a.position - b.position
  return {
    ...own,
    ...place,
    imports,
    // A subtype without a key of its own has the inherited one.
    primaryKey: primaryKeyOf(content) ?? keyOf(resolved),
    typeAttributes: content.typeAttributes.toSorted(byPosition).map(item => typeAttributeAnswerOf(item, isDefault)),
    entityAttributes: content.entityAttributes
      .toSorted(byPosition)
      .map(relationship => ({ ...relationship, isDefault })),
    content: canonicalJson(content),
    ...(resolved ? { resolvedAttributes: resolved } : {}),
  }
}

export function keyOf(resolved: readonly { name: string; isPrimaryKey: boolean }[] | undefined): string | null {
  return resolved?.find(({ isPrimaryKey }) => isPrimaryKey)?.name ?? null
}

export function resolvedAnswerOf(
  resolved: readonly ResolvedAttribute[],
): NonNullable<EntityAnswer['resolvedAttributes']> {
  return resolved.map(({ name, dataType, isPrimaryKey, nullable, maxLength, choices, kind, origin, declaredBy }) => ({
    name,
    dataType,
    isPrimaryKey,
    nullable,
    maxLength,
    choices: [...choices],
    kind,
    origin,
    declaredBy,
  }))
}

/** What a GET of the entity answers in this state. `content`: its content, as read. */
export function entityOfState(state: EntityStateAnswer, content: EntityContent): EntityAnswer {
  const { tag: _tag, etag: _etag, content: _text, resolvedAttributes: inherited, ...place } = state
  const node = { ...content, id: state.id, path: state.path }
  const resolved = inherited ?? resolvedAnswerOf(resolvedAttributes(node, () => undefined))
  return entityAnswerOf(content, { ...place, currentVersion: state.latestVersion }, resolved)
}
