import type { EntityAnswer, EntityAttributeAnswer } from '@cadmus/model/contract/entity-shapes'
import type { EntityContent } from '@cadmus/model/entity'
import { answerOfState } from '../commands/entity/entity-answer.ts'
import { notFound } from '../errors/api-error.ts'
import { contentByHash } from '../store/content.ts'
import type { Db, Store } from '../store/database.ts'
import { entityContentOf } from '../store/entity-content.ts'
import { located, referenceLookup, refreshed } from '../store/entity-refresh.ts'
import { frozenVersion } from '../store/entity-version.ts'
import { entityById, type StoredEntity } from '../store/entity.ts'

/** The organisation of an entity: the caller's, or another one for administrators. */
export type Place = { store: Pick<Store, 'of'>; organisationId: number }

/**
 * The state to return: the latest version or a frozen one, with or without resolved attributes. `withKey` false returns
 * only the entity's own key, without reading its base entities. `hash` pins a recent state, even if the entity has
 * changed since.
 */
export type Shown = {
  version?: string | undefined
  withResolved?: boolean
  withKey?: boolean
  hash?: string | undefined
}

/**
 * Returns an entity in the wire format, with the hash of its state. Throws 404 if the entity or version does not exist.
 */
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
  const state = { latest, content, version: stored.version }
  return { hash: stored.hash, entity: await answerOfState(db, organisationId, state, { withResolved, withKey }) }
}

type State = { version: string; hash: string; content: EntityContent; isFrozen: boolean }

async function shownState(
  db: Db,
  organisationId: number,
  latest: StoredEntity,
  version: string | undefined,
): Promise<State> {
  if (version === undefined || version === latest.latest_version)
    return { version: latest.latest_version, hash: latest.content_hash, content: latest.content, isFrozen: false }
  const frozen = await frozenVersion(db, organisationId, latest.id, version)
  if (!frozen) throw notFound('The version')
  return { version: frozen.version, hash: frozen.content_hash, content: frozen.content, isFrozen: true }
}

/** Returns the pinned state if the entity has changed since. */
async function stateOf(db: Db, organisationId: number, current: State, hash = current.hash): Promise<State> {
  const body = hash === current.hash ? undefined : await contentByHash(db, organisationId, hash)
  return body === undefined ? current : { ...current, hash, content: entityContentOf(hash, body) }
}

/** Returns a relationship from an entity's answer. Throws 404 if there is none with this uid. */
export function relationshipIn({ entityAttributes }: EntityAnswer, uid: string): EntityAttributeAnswer {
  const entityAttribute = entityAttributes.find(relationship => relationship.uid === uid)
  if (!entityAttribute) throw notFound('The relationship')
  return entityAttribute
}
