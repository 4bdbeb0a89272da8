import type { EntityAnswer, EntityAttributeAnswer } from '@cadmus/model/contract/entity-shapes'
import { primaryKeyOf, type EntityContent } from '@cadmus/model/entity'
import { canonicalJson } from '@cadmus/model/content'
import { resolvedAttributes } from '@cadmus/model/inherit'
import { isDefaultPath } from '@cadmus/model/paths'
import { isPrimaryKey } from '@cadmus/model/type-attribute'
import { highestFirst } from '@cadmus/model/version'
import { notFound } from '../errors/api-error.ts'
import { contentByHash } from '../store/content.ts'
import type { Db, Store } from '../store/database.ts'
import { entityContentOf } from '../store/entity-content.ts'
import { located, referenceLookup, refreshed } from '../store/entity-refresh.ts'
import { frozenVersion, frozenVersionNumbers } from '../store/entity-version.ts'
import { entityById, entityNode, type StoredEntity, withAncestors } from '../store/entity.ts'
import { manifestById } from '../store/manifest.ts'

/** Where an entity is looked for: the organisation worked in, or for administrators another one. */
export type Place = { store: Pick<Store, 'of'>; organisationId: number }

/**
 * Which state of an entity is answered: its latest version, or a frozen one; with or without the resolved list. `withKey` false: its
 * own key only, so that nothing of what it extends is read. `hash`: a state that it had a moment ago, whatever it is now.
 */
export type Shown = {
  version?: string | undefined
  withResolved?: boolean
  withKey?: boolean
  hash?: string | undefined
}

/** An entity as the calls answer it, with the tag of that state. 404 where it, or the version, is not there. */
export async function entityAnswer(
  { store, organisationId }: Place,
  id: number,
  { version, withResolved = true, withKey = true, hash }: Shown = {},
): Promise<{ entity: EntityAnswer; hash: string }> {
  const db = store.of(organisationId)
  const latest = await entityById(db, organisationId, id)
  if (!latest) throw notFound('The entity')
  const stored = await stateOf(db, organisationId, await shownState(db, organisationId, latest, version), hash)
  const lookup = await referenceLookup(db, organisationId, [stored.content])
  const content = stored.isFrozen ? located(stored.content, lookup) : refreshed(stored.content, lookup)
  const frozen = await frozenVersionNumbers(db, latest.organisation_id, id)
  const manifest = latest.manifest_id > 0 ? await manifestById(db, organisationId, latest.manifest_id) : undefined
  const entity = {
    ...fieldsOf(content, isDefault(latest)),
    id,
    path: latest.path,
    isDefault: isDefault(latest),
    targetManifest: manifest ? { id: manifest.id, name: manifest.name } : null,
    content: canonicalJson(content),
    versions: highestFirst([...frozen, latest.latest_version], version => version),
    latestVersion: latest.latest_version,
    currentVersion: stored.version,
  }
  // An heir without a key of its own has the inherited one.
  const isOpen = withKey && entity.primaryKey === null && content.extendsEntity !== null
  if (!withResolved && !isOpen) return { hash: stored.hash, entity }
  const resolved = await resolvedList(db, organisationId, { ...latest, content })
  const primaryKey = entity.primaryKey ?? resolved.find(attribute => attribute.isPrimaryKey)?.name ?? null
  const list = withResolved ? { resolvedAttributes: resolved } : {}
  return { hash: stored.hash, entity: { ...entity, primaryKey, ...list } }
}

type State = { version: string; hash: string; content: EntityContent; isFrozen: boolean }

async function shownState(
  db: Db,
  organisationId: number,
  latest: StoredEntity,
  wanted: string | undefined,
): Promise<State> {
  if (wanted === undefined || wanted === latest.latest_version)
    return { version: latest.latest_version, hash: latest.content_hash, content: latest.content, isFrozen: false }
  const frozen = await frozenVersion(db, organisationId, latest.id, wanted)
  if (!frozen) throw notFound('The version')
  return { version: frozen.version, hash: frozen.content_hash, content: frozen.content, isFrozen: true }
}

/** That which the hash names, where another one came since. */
async function stateOf(db: Db, organisationId: number, present: State, hash = present.hash): Promise<State> {
  const body = hash === present.hash ? undefined : await contentByHash(db, organisationId, hash)
  return body === undefined ? present : { ...present, hash, content: entityContentOf(hash, body) }
}

function fieldsOf(content: EntityContent, byDefault: boolean) {
  const { uid, name, description, type, extendsEntity, operationScopes, copiedFrom } = content
  const byPosition = (a: { position: number }, b: { position: number }) => a.position - b.position
  return {
    uid,
    name,
    description,
    type,
    extendsEntity,
    operationScopes,
    copiedFrom,
    imports: content.referenceImportPaths,
    primaryKey: primaryKeyOf(content),
    typeAttributes: content.typeAttributes.toSorted(byPosition).map(attribute => ({
      ...attribute,
      isDefault: byDefault,
      isPrimaryKey: isPrimaryKey(attribute),
      appliedTraits: [],
    })),
    entityAttributes: content.entityAttributes.toSorted(byPosition).map(relationship => ({
      ...relationship,
      isDefault: byDefault,
    })),
  }
}

async function resolvedList(db: Db, organisationId: number, shown: StoredEntity) {
  const family = await withAncestors(db, organisationId, [shown])
  return resolvedAttributes(entityNode(shown), id => family.get(id)).map(
    ({ name, dataType, isPrimaryKey: isKey, nullable, maxLength, choices, kind, origin, declaredBy }) => ({
      name,
      dataType,
      isPrimaryKey: isKey,
      nullable,
      maxLength,
      choices: [...choices],
      kind,
      origin,
      declaredBy,
    }),
  )
}

function isDefault(entity: StoredEntity): boolean {
  return entity.organisation_id === 0 || isDefaultPath(entity.path)
}

/** A relationship of an entity, as its answer has it. 404 where it has none of that uid. */
export function relationshipIn({ entityAttributes }: EntityAnswer, uid: string): EntityAttributeAnswer {
  const entityAttribute = entityAttributes.find(relationship => relationship.uid === uid)
  if (!entityAttribute) throw notFound('The relationship')
  return entityAttribute
}
