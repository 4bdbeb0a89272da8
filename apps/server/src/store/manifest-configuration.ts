import { newConfiguration, readConfiguration, withoutSecrets, type Configuration } from '@cadmus/model/configuration'
import { canonicalJson } from '@cadmus/model/content'
import { contentByHash, hashOf, putContent } from './content.ts'
import type { Db } from './database.ts'
import type { ManifestRow } from './manifest.ts'

/** The configuration with its secrets still encrypted, and the hash that names it. */
export type StoredConfiguration = { configuration: Configuration; hash: string }

type Place = Pick<ManifestRow, 'organisation_id' | 'name' | 'configuration_hash'>

/** The manifest's configuration; the defaults where none was saved. */
export async function configurationOf(db: Db, manifest: Place): Promise<StoredConfiguration> {
  if (manifest.configuration_hash === null) {
    const configuration = newConfiguration(manifest.name)
    return { configuration, hash: hashOf(canonicalJson(configuration)) }
  }
  const body = await contentByHash(db, manifest.organisation_id, manifest.configuration_hash)
  if (body === undefined) throw new Error('The configuration of a manifest is missing.')
  return { configuration: readConfiguration(JSON.parse(body)), hash: manifest.configuration_hash }
}

/** The configuration that had the hash, if this manifest ever had it. */
export async function configurationByHash(db: Db, manifest: Place, hash: string): Promise<Configuration | undefined> {
  const first = await configurationOf(db, { ...manifest, configuration_hash: null })
  if (first.hash === hash) return first.configuration
  const body = await contentByHash(db, manifest.organisation_id, hash)
  if (body === undefined) return undefined
  const json: unknown = JSON.parse(body)
  const isConfiguration = typeof json === 'object' && json !== null && 'configurationFormat' in json
  return isConfiguration ? readConfiguration(json) : undefined
}

/** Stores a configuration whose secrets are encrypted. */
export async function putConfiguration(tx: Db, organisationId: number, configuration: Configuration): Promise<string> {
  return putContent(tx, organisationId, canonicalJson(configuration))
}

/** Stores what versions and the audit may show of it, and answers its hash. Audit entries read name and path from it. */
export async function putShownConfiguration(
  tx: Db,
  organisationId: number,
  manifest: Pick<ManifestRow, 'name'>,
  configuration: Configuration,
): Promise<string> {
  return putContent(tx, organisationId, canonicalJson({ name: manifest.name, ...withoutSecrets(configuration) }))
}
