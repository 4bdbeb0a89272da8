import { createHash } from 'node:crypto'
import { newConfiguration, placeholderOf, withoutSecrets, type Configuration } from '@cadmus/model/configuration'
import type { NamedConfiguration } from '@cadmus/model/configuration-names'
import { canonicalJson, configurationContent, readConfigurationContent } from '@cadmus/model/content'
import { resolvedNames } from './resolved-rows.ts'
import { resolveNames, withCurrentNames, type CurrentConfiguration } from './configuration-names.ts'
import { contentByHash, hashOf, putContent } from './content.ts'
import type { Db } from './database.ts'
import type { ManifestRow } from './manifest.ts'

/** The configuration with current names and encrypted secrets, and its hash. */
export type StoredConfiguration = CurrentConfiguration & { hash: string }

/** The tag of the defaults, independent of the manifest's name. */
const defaultsTag = hashOf(canonicalJson(newConfiguration('')))

type Place = Pick<ManifestRow, 'organisation_id' | 'name' | 'configuration_hash'>

/** Returns the manifest's configuration; the defaults if none was saved. */
export async function configurationOf(db: Db, manifest: Place): Promise<StoredConfiguration> {
  const { hash, ...stored } = await storedOf(db, manifest)
  return { ...(await withCurrentNames(db, manifest.organisation_id, stored)), hash }
}

/** Returns the configuration with its stored names, as shown for a version. */
export async function configurationAsStored(db: Db, manifest: Place): Promise<Configuration> {
  return (await storedOf(db, manifest)).configuration
}

/** The tag of a configuration hash; unsaved defaults have one too. */
export function configurationTag(hash: string | null): string {
  return hash ?? defaultsTag
}

/** Resolves the names of a configuration within the manifest; `earlier` holds their earlier meanings. */
export async function resolveNamesIn(
  db: Db,
  manifest: ManifestRow,
  configuration: Configuration,
  earlier: CurrentConfiguration['named'],
): Promise<CurrentConfiguration> {
  const { organisation_id: organisationId } = manifest
  const entities = await resolvedNames(db, organisationId, [manifest])
  return resolveNames(db, organisationId, configuration, { entities, earlier })
}

/** Stores a configuration with encrypted secrets. */
export async function putConfiguration(tx: Db, organisationId: number, named: NamedConfiguration): Promise<string> {
  return putContent(tx, organisationId, canonicalJson(configurationContent(named)))
}

/** Replaces each secret by a placeholder unique to it, for callers who may edit. */
export function withMarkedSecrets(configuration: Configuration): Configuration {
  return withoutSecrets(configuration, placeholderFor)
}

/** Encryption is randomised, so the mark distinguishes secrets without revealing equality or content. */
export function placeholderFor(sealed: string): string {
  return placeholderOf(createHash('sha256').update(sealed).digest('base64url').slice(0, markLength))
}

const markLength = 22

/**
 * Stores the configuration without secrets, for versions and the audit; returns its hash. Audit entries read name and
 * path from it.
 */
export async function putShownConfiguration(
  tx: Db,
  organisationId: number,
  manifest: Pick<ManifestRow, 'name'>,
  { configuration, named }: NamedConfiguration,
): Promise<string> {
  const content = configurationContent({ configuration: withoutSecrets(configuration), named })
  return putContent(tx, organisationId, canonicalJson({ name: manifest.name, ...content }))
}

async function storedOf(db: Db, manifest: Place): Promise<NamedConfiguration & { hash: string }> {
  if (manifest.configuration_hash === null) {
    return { configuration: newConfiguration(manifest.name), named: [], hash: configurationTag(null) }
  }
  const body = await contentByHash(db, manifest.organisation_id, manifest.configuration_hash)
  if (body === undefined) throw new Error('The configuration of a manifest is missing.')
  return { ...withCurrentName(manifest, readConfigurationContent(JSON.parse(body))), hash: manifest.configuration_hash }
}

/** Sets the manifest's current name, since the stored one may be outdated. */
function withCurrentName({ name }: Place, { configuration, named }: NamedConfiguration): NamedConfiguration {
  return { configuration: { ...configuration, manifestName: name }, named }
}
