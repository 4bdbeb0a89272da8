import type { Configuration } from '@cadmus/model/configuration'
import { manifestForm } from '@cadmus/model/content'
import type { EntityContent } from '@cadmus/model/entity'
import type { ManifestContent } from '@cadmus/model/manifest'
import { readStored } from '@cadmus/model/stored/stored-form'
import { contentByHash } from '../store/content.ts'
import type { Db } from '../store/database.ts'
import type { DocumentPlace, LogRow } from '../store/edit-log.ts'
import { entityContentOf } from '../store/entity.ts'
import { referenceLookup, refreshed } from '../store/entity-refresh.ts'
import { configurationOf, configurationTag, withMarkedSecrets } from '../store/manifest-configuration.ts'
import { manifestById } from '../store/manifest.ts'

type States<C> = { before: C | null; after: C | null }
type AnyContent = EntityContent | ManifestContent | Configuration

/**
 * The contents of a document before and after a log entry, under current names. Secrets are placeholders, which a save
 * can send back.
 */
export async function statesOfEntry(
  db: Db,
  organisationId: number,
  { kind, id }: DocumentPlace,
  { before, after }: Pick<LogRow, 'before' | 'after'>,
): Promise<States<AnyContent>> {
  if (kind === 'entity') return entityStates(db, organisationId, { before, after })
  if (kind === 'manifest') {
    const read = async (hash: string | null) => manifestState(db, organisationId, hash)
    return { before: await read(before), after: await read(after) }
  }
  return configurationStates(db, organisationId, id, { before, after })
}

/** The configurations of a manifest with these tags. Secrets are placeholders, which a save can send back. */
export async function configurationStates(
  db: Db,
  organisationId: number,
  id: number,
  { before, after }: Pick<LogRow, 'before' | 'after'>,
): Promise<States<Configuration>> {
  const manifest = await manifestById(db, organisationId, id)
  const read = async (tag: string | null) => {
    if (!manifest || tag === null) return null
    const hash = tag === configurationTag(null) ? null : tag
    const { configuration } = await configurationOf(db, { ...manifest, configuration_hash: hash })
    return withMarkedSecrets(configuration)
  }
  return { before: await read(before), after: await read(after) }
}

/** The content of a manifest by its hash; null if there is none. */
export async function manifestState(
  db: Db,
  organisationId: number,
  hash: string | null,
): Promise<ManifestContent | null> {
  const body = hash === null ? undefined : await contentByHash(db, organisationId, hash)
  return body === undefined ? null : readStored(manifestForm, JSON.parse(body))
}

export async function entityStates(
  db: Db,
  organisationId: number,
  { before, after }: { before: string | null; after: string | null },
): Promise<States<EntityContent>> {
  const read = async (hash: string | null) => {
    const body = hash === null ? undefined : await contentByHash(db, organisationId, hash)
    return hash === null || body === undefined ? null : entityContentOf(hash, body)
  }
  const contents = [await read(before), await read(after)] as const
  const lookup = await referenceLookup(
    db,
    organisationId,
    contents.filter(content => content !== null),
  )
  const [was, is] = contents.map(content => content && refreshed(content, lookup))
  return { before: was ?? null, after: is ?? null }
}
