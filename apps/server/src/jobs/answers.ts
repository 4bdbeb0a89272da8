import type * as z from 'zod'
import {
  type AuditDifference,
  type AuditEntry,
  configurationDifferences,
  entityDifferences,
  manifestDifferences,
} from '@cadmus/model/audit-differences'
import { type Configuration, withoutSecrets } from '@cadmus/model/configuration'
import { canonicalJson, entityForm, manifestForm, readConfigurationContent } from '@cadmus/model/content'
import type { listEntityVersions } from '@cadmus/model/contract/entity'
import type { EntityAnswer, EntityAttributeAnswer } from '@cadmus/model/contract/entity-shapes'
import type { listManifestVersions, ManifestPaths } from '@cadmus/model/contract/manifest'
import type { ManifestAnswer } from '@cadmus/model/contract/manifest-shapes'
import type { EntityContent, EntityNode } from '@cadmus/model/entity'
import { resolvedAttributes } from '@cadmus/model/inherit'
import { limits } from '@cadmus/model/limits'
import type { ManifestContent } from '@cadmus/model/manifest'
import { isDefaultPath } from '@cadmus/model/paths'
import { resolveModel } from '@cadmus/model/resolved-model'
import { scopesOf, usedScopes } from '@cadmus/model/rules/scopes'
import { readStored } from '@cadmus/model/stored/stored-form'
import { highestFirst } from '@cadmus/model/version'
import { answerOfState } from '../commands/entity/entity-state.ts'
import { notFound } from '../errors/api-error.ts'
import { yieldToEventLoop } from '../event-loop.ts'
import { findAuditEntry, pathsOfDeleted, type StoredAuditEntry } from '../store/audit-read.ts'
import { inBatches } from '../store/statements.ts'
import { contentByHash } from '../store/content.ts'
import type { Db } from '../store/database.ts'
import type { Store } from '../store/store.ts'
import { entityById, entityContentOf, entityRowsByIds, type StoredEntity } from '../store/entity.ts'
import { located, referenceLookup, refreshed } from '../store/entity-refresh.ts'
import { scopesOfEntities } from '../store/entity-scopes.ts'
import { frozenVersion, frozenVersionNumbers, frozenVersions } from '../store/entity-version.ts'
import { configurationAsStored, configurationOf } from '../store/manifest-configuration.ts'
import { parentsOf } from '../store/manifest-list.ts'
import { memberParts, relationshipsOfManifest } from '../store/manifest-relationships.ts'
import { type ManifestSnapshot, snapshotByHash } from '../store/manifest-snapshot.ts'
import {
  frozenManifestVersions,
  manifestContent,
  type ManifestRow,
  manifestsByIds,
  type ManifestVersionRow,
} from '../store/manifest.ts'
import { modelAt } from './model-at.ts'
import type { ModelPlace } from './tasks.ts'

/** The organisation of an entity: the caller's, or another one for administrators. */
type Place = { store: Pick<Store, 'of'>; organisationId: number }

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

type EntityVersions = z.input<typeof listEntityVersions.answer>

/** All versions of an entity, highest first. */
export async function entityVersionsAnswer(db: Db, organisationId: number, id: number): Promise<EntityVersions> {
  const entity = await entityById(db, organisationId, id)
  if (!entity) throw notFound('The entity')
  const entityVersions = [listed(entity.latest_version, entity.content, 0)]
  let length = entityVersions[0]?.CONTENT.length ?? 0
  const numbers = highestFirst(await frozenVersionNumbers(db, organisationId, id), version => version)
  // In batches, because contents may be many and large.
  for (const part of inBatches(numbers, 5)) {
    const versions = await frozenVersions(db, organisationId, id, part)
    for (const { version, content } of highestFirst(versions, item => item.version)) {
      await yieldToEventLoop()
      const item = listed(version, content, length)
      length += item.CONTENT.length
      entityVersions.push(item)
    }
  }
  return { entityVersions }
}

/** Omits the content if the answer has grown too large; callers then request it by version. */
function listed(version: string, content: EntityContent, before: number) {
  const text = before > limits.listedContents ? '' : canonicalJson(content)
  return { VERSION: version, NAME: content.name, DESCRIPTION: content.description, CONTENT: text }
}

type ManifestPlace = { store: Store; organisationId: number }
type Parts = { id: number; name: string; path: string }

/** Returns a manifest in the wire format, in its latest state or a frozen version. */
export async function manifestAnswer(
  place: ManifestPlace,
  row: ManifestRow,
  frozen: ManifestVersionRow | null = null,
): Promise<{ manifest: ManifestAnswer; etag: string }> {
  const { store, organisationId } = place
  const db = store.of(organisationId)
  const snapshot = frozen && (await snapshotByHash(db, organisationId, frozen.content_hash))
  const etag = snapshot?.manifests.find(part => part.id === row.id)?.hash ?? row.content_hash
  const stored = { organisation_id: row.organisation_id, content_hash: etag }
  const members = entityParts(db, organisationId, row, snapshot)
  // Independent reads run concurrently.
  const [content, relations, parents, versions, configuration] = await Promise.all([
    contentOf(db, organisationId, stored, { snapshot, members }),
    relationships(place, row, frozen, members),
    parentsOf(db, organisationId, row.id, { page: 0, limit: 1 }),
    versionsOf(db, row),
    shownConfiguration(db, row, snapshot),
  ])
  // An entity added between the two reads must appear in neither list.
  const listed = new Set(content.entityPaths.map(({ name }) => name))
  const manifest = {
    ...content,
    id: row.id,
    path: row.path,
    parentManifestId: parents.rows[0]?.id ?? -1,
    isDefault: isDefaultPath(row.path),
    versions,
    latestVersion: row.latest_version,
    currentVersion: frozen?.version ?? row.latest_version,
    relationships: relations.filter(({ fromEntity }) => listed.has(fromEntity)),
    configuration,
  }
  return { manifest, etag }
}

/** Returns the configuration without secrets, latest or frozen; the defaults if none was stored. */
async function shownConfiguration(db: Db, row: ManifestRow, snapshot: ManifestSnapshot | null): Promise<Configuration> {
  const frozen = snapshot?.manifests.find(part => part.id === row.id)
  if (!frozen) return withoutSecrets((await configurationOf(db, row)).configuration)
  const frozenState = { ...row, name: frozen.name, configuration_hash: frozen.configuration }
  return withoutSecrets(await configurationAsStored(db, frozenState))
}

async function versionsOf(db: Db, row: ManifestRow): Promise<string[]> {
  const frozen = await frozenManifestVersions(db, row)
  return highestFirst([row.latest_version, ...frozen.map(({ version }) => version)], version => version)
}

async function entityParts(
  db: Db,
  organisationId: number,
  row: ManifestRow,
  snapshot: ManifestSnapshot | null,
): Promise<ReadonlyMap<number, Parts>> {
  if (snapshot) return new Map(snapshot.entities.map(part => [part.id, part]))
  return memberParts(db, organisationId, row)
}

/** The manifest's content, with the current names of members and sub-manifests. */
async function contentOf(
  db: Db,
  organisationId: number,
  stored: Parameters<typeof manifestContent>[1],
  frozenState: { snapshot: ManifestSnapshot | null; members: Promise<ReadonlyMap<number, Parts>> },
) {
  const { format: _format, importsPath: _imports, entities, subManifests, ...own } = await manifestContent(db, stored)
  const subs = await manifestParts(db, organisationId, subManifests, frozenState.snapshot)
  const members = await frozenState.members
  return {
    ...own,
    entityPaths: entities.flatMap(({ id, type }) => {
      const entity = members.get(id)
      return entity ? [{ id, name: entity.name, path: entity.path, type }] : []
    }),
    subManifestPaths: subManifests.flatMap(id => {
      const sub = subs.get(id)
      return sub ? [{ id, name: sub.name, path: sub.path }] : []
    }),
  }
}

async function manifestParts(
  db: Db,
  organisationId: number,
  ids: readonly number[],
  snapshot: ManifestSnapshot | null,
): Promise<Map<number, Parts>> {
  const parts = snapshot?.manifests ?? (await manifestsByIds(db, organisationId, ids))
  return new Map(parts.map(part => [part.id, part]))
}

async function relationships(
  { store, organisationId }: ManifestPlace,
  row: ManifestRow,
  frozen: ManifestVersionRow | null,
  members: Promise<ReadonlyMap<number, Parts>>,
): Promise<ManifestAnswer['relationships']> {
  if (frozen === null) return relationshipsOfManifest(store.of(organisationId), organisationId, row, members)
  // Relationships of a frozen version exist only in the contents, not in the tables.
  const place = { organisationId, manifestId: row.id, version: frozen.version }
  const { root, source } = await modelAt(store, place)
  const frozenState = root.entities.flatMap(({ id }) => source.entities.get(id) ?? [])
  return relationshipsOf(frozenState, id => source.entities.get(id)?.name)
}

/** Derives the relationships of a manifest's own entities. Omits relationships whose target is missing. */
function relationshipsOf(
  entities: readonly EntityNode[],
  nameOf: (id: number) => string | undefined,
): ManifestAnswer['relationships'] {
  return entities.flatMap(from =>
    from.entityAttributes.flatMap(attribute => {
      const toEntity = nameOf(attribute.associatedEntity.id)
      if (toEntity === undefined) return []
      return [
        {
          fromEntity: from.name,
          fromEntityAttribute: attribute.foreignKeyTypeAttribute,
          toEntity,
          toEntityAttribute: attribute.associatedEntityTypeAttribute,
        },
      ]
    }),
  )
}

/** Returns the entities with operations in the manifest's API, and the scopes they require. */
export async function pathsOf(store: Store, place: ModelPlace): Promise<ManifestPaths> {
  const { root, source } = await modelAt(store, place)
  const { entities: members } = resolveModel(root, source)
  const lookup = (id: number) => source.entities.get(id)
  const { organisationId } = place
  const ids = members.map(({ id }) => id)
  const scoped = await scopesOfEntities(store.of(organisationId), organisationId, ids)
  const scopes = new Map(scoped.map(one => [one.id, one.operationScopes]))
  const entities = members.map(entity => {
    const key = resolvedAttributes(entity, lookup).find(attribute => attribute.isPrimaryKey)
    const operationScopes = scopes.get(entity.id)
    const hasScopes = operationScopes !== undefined && scopesOf({ operationScopes }).length > 0
    return {
      id: entity.id,
      name: entity.name,
      path: entity.path,
      primaryKey: key?.name ?? null,
      ...(hasScopes ? { operationScopes } : {}),
    }
  })
  return { entities, scopes: [...usedScopes({ globalScopes: [], entities: scoped })] }
}

type ManifestVersions = z.input<typeof listManifestVersions.answer>

/** All versions of a manifest, highest first. */
export async function manifestVersionsAnswer(
  db: Db,
  organisationId: number,
  manifest: ManifestRow,
): Promise<ManifestVersions> {
  const latest = await versionContent(db, organisationId, manifest, null)
  const manifestVersions = [{ VERSION: manifest.latest_version, CONTENT: latest }]
  let length = latest.length
  for (const row of await frozenManifestVersions(db, manifest)) {
    await yieldToEventLoop()
    // Omits contents once the answer has grown too large; callers request them by version.
    const content = length > limits.listedContents ? '' : await versionContent(db, organisationId, manifest, row)
    length += content.length
    manifestVersions.push({ VERSION: row.version, CONTENT: content })
  }
  return { manifestVersions }
}

/** Returns CONTENT of a version as JSON text: name, description, entity ids and sub-manifest ids. */
export async function versionContent(
  db: Db,
  organisationId: number,
  manifest: ManifestRow,
  frozen: ManifestVersionRow | null,
): Promise<string> {
  const snapshot = frozen && (await snapshotByHash(db, organisationId, frozen.content_hash))
  const hash = snapshot?.manifests.find(part => part.id === manifest.id)?.hash ?? manifest.content_hash
  const { entities, subManifests, name, description } = await manifestContent(db, { ...manifest, content_hash: hash })
  return JSON.stringify({ name, description, entities: entities.map(({ id }) => id), subManifests })
}

type EntryPlace = { organisationId: number; kind: 'ENTITY' | 'MANIFEST'; id: number }
export type AuditEntryAnswer = {
  entry: AuditEntry
  target: { id: number; exists: boolean }
  differences: AuditDifference[]
}

/** Returns an audit entry with its differences. Throws 404 if there is none. */
export async function auditEntryAnswer(db: Db, place: EntryPlace): Promise<AuditEntryAnswer> {
  return answerOf(db, place, await findEntry(db, place))
}

/** Like `auditEntryAnswer`, but undefined if the entry is larger than `maxBytes` bytes. */
export async function lightAuditEntryAnswer(
  db: Db,
  place: EntryPlace,
  maxBytes: number,
): Promise<AuditEntryAnswer | undefined> {
  const entry = await findEntry(db, place)
  return entry.bytes > maxBytes ? undefined : answerOf(db, place, entry)
}

async function findEntry(db: Db, place: EntryPlace) {
  const entry = await findAuditEntry(db, place.organisationId, place)
  if (entry === undefined) throw notFound('The log entry')
  return entry
}

async function answerOf(
  db: Db,
  { organisationId, kind }: EntryPlace,
  { read }: { read: () => Promise<StoredAuditEntry> },
): Promise<AuditEntryAnswer> {
  const stored = await read()
  const { entry, targetId: id } = stored
  const entityRows = kind === 'ENTITY' ? await entityRowsByIds(db, organisationId, [id]) : null
  const manifests = kind === 'MANIFEST' ? await manifestsByIds(db, organisationId, [id]) : []
  const target = { id, exists: (entityRows?.size ?? manifests.length) > 0 }
  return { entry, target, differences: await differencesOf(db, organisationId, stored) }
}

async function differencesOf(db: Db, organisationId: number, stored: StoredAuditEntry): Promise<AuditDifference[]> {
  const [before, after] = [stored.before, stored.after].map(body => (body === null ? null : JSON.parse(body)))
  switch (stored.entry.CONTENT_KIND) {
    case 'organisation':
    case 'package':
      return []
    case 'entity':
    case 'scopes':
      return entityDifferences(before && readStored(entityForm, before), after && readStored(entityForm, after))
    case 'configuration': {
      const [oldContent, newContent] = [before, after].map(json => json && readConfigurationContent(json).configuration)
      return configurationDifferences(oldContent, newContent)
    }
    case 'manifest': {
      const [oldContent, newContent] = [before, after].map(json => json && readStored(manifestForm, json))
      return manifestDifferences(oldContent, newContent, await namesOf(db, organisationId, oldContent, newContent))
    }
  }
}

/** Returns the names of added and removed members; deleted ones keep their last name. */
async function namesOf(
  db: Db,
  organisationId: number,
  before: ManifestContent | null,
  after: ManifestContent | null,
): Promise<{ entities: Map<number, string>; manifests: Map<number, string> }> {
  const members = changedIds(idsOf(before), idsOf(after))
  const subs = changedIds(before?.subManifests ?? [], after?.subManifests ?? [])
  const entities = await entityRowsByIds(db, organisationId, members)
  const manifests = await manifestsByIds(db, organisationId, subs)
  return {
    entities: new Map([
      ...(await pathsOfDeleted(db, organisationId, 'ENTITY', members)),
      ...entities.values().map(({ id, path }) => [id, path] as const),
    ]),
    manifests: new Map([
      ...(await pathsOfDeleted(db, organisationId, 'MANIFEST', subs)),
      ...manifests.map(({ id, path }) => [id, path] as const),
    ]),
  }
}

function idsOf(content: ManifestContent | null): number[] {
  return content?.entities.map(({ id }) => id) ?? []
}

function changedIds(before: readonly number[], after: readonly number[]): number[] {
  return [...new Set(before).symmetricDifference(new Set(after))]
}
