import type { AuditEntry } from '@cadmus/model/audit-entry'
import {
  type AuditDifference,
  configurationDifferences,
  entityDifferences,
  manifestDifferences,
} from '@cadmus/model/audit-differences'
import { readConfigurationContent, entityForm, manifestForm } from '@cadmus/model/content'
import { readStored } from '@cadmus/model/stored/stored-form'
import type { ManifestContent } from '@cadmus/model/manifest'
import { notFound } from '../errors/api-error.ts'
import { findAuditEntry, type StoredAuditEntry, pathsOfDeleted } from '../store/audit-entry-read.ts'
import type { Db } from '../store/database.ts'
import { entityRowsByIds } from '../store/entity.ts'
import { manifestsByIds } from '../store/manifest.ts'

type Place = { organisationId: number; kind: 'ENTITY' | 'MANIFEST'; id: number }
export type AuditEntryAnswer = {
  entry: AuditEntry
  target: { id: number; exists: boolean }
  differences: AuditDifference[]
}

/** Returns an audit entry with its differences. Throws 404 if there is none. */
export async function auditEntryAnswer(db: Db, place: Place): Promise<AuditEntryAnswer> {
  return answerOf(db, place, await findEntry(db, place))
}

/** Like `auditEntryAnswer`, but undefined if the entry is larger than `maxBytes` bytes. */
export async function lightAuditEntryAnswer(
  db: Db,
  place: Place,
  maxBytes: number,
): Promise<AuditEntryAnswer | undefined> {
  const entry = await findEntry(db, place)
  return entry.bytes > maxBytes ? undefined : answerOf(db, place, entry)
}

async function findEntry(db: Db, place: Place) {
  const entry = await findAuditEntry(db, place.organisationId, place)
  if (entry === undefined) throw notFound('The log entry')
  return entry
}

async function answerOf(
  db: Db,
  { organisationId, kind }: Place,
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
