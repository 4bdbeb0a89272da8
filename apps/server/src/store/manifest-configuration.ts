import { createHash } from 'node:crypto'
import { newConfiguration, placeholderOf, withoutSecrets, type Configuration } from '@cadmus/model/configuration'
import type { NamedConfiguration } from '@cadmus/model/configuration-names'
import { canonicalJson, configurationContent, upgradeConfiguration } from '@cadmus/model/content'
import { namesInClosure } from './closure-rows.ts'
import { pinned, underTodaysNames, type TodaysConfiguration } from './configuration-names.ts'
import { contentByHash, hashOf, putContent } from './content.ts'
import type { Db } from './database.ts'
import type { ManifestRow } from './manifest.ts'

/** The configuration under the names of today, with its secrets still encrypted, and the hash that names it. */
export type StoredConfiguration = TodaysConfiguration & { hash: string }

/** Names the defaults of every manifest, whatever it is called. */
const untouched = hashOf(canonicalJson(newConfiguration('')))

type Place = Pick<ManifestRow, 'organisation_id' | 'name' | 'configuration_hash'>

/** The manifest's configuration; the defaults where none was saved. */
export async function configurationOf(db: Db, manifest: Place): Promise<StoredConfiguration> {
  const { hash, ...stored } = await storedOf(db, manifest)
  return { ...(await underTodaysNames(db, manifest.organisation_id, stored)), hash }
}

/** The configuration under the names that it was stored with, as a version shows it. */
export async function configurationAsStored(db: Db, manifest: Place): Promise<Configuration> {
  return (await storedOf(db, manifest)).configuration
}

/** How the hash of a manifest's row is told: the defaults, which no row names, have one too. */
export function configurationTag(hash: string | null): string {
  return hash ?? untouched
}

/** The configuration with what its names mean in the manifest; `known` is what they meant before. */
export async function pinnedIn(
  db: Db,
  manifest: ManifestRow,
  configuration: Configuration,
  known: TodaysConfiguration['named'],
): Promise<TodaysConfiguration> {
  const { organisation_id: organisationId } = manifest
  const entities = await namesInClosure(db, organisationId, [manifest])
  return pinned(db, organisationId, configuration, { entities, known })
}

/** Stores a configuration whose secrets are encrypted. */
export async function putConfiguration(tx: Db, organisationId: number, named: NamedConfiguration): Promise<string> {
  return putContent(tx, organisationId, canonicalJson(configurationContent(named)))
}

/** As it is answered to who may change it: each secret as what stands for that one only. */
export function withMarkedSecrets(configuration: Configuration): Configuration {
  return withoutSecrets(configuration, placeholderFor)
}

/** A secret is closed otherwise each time: its mark says that it is another one, and nothing of what is in it. */
export function placeholderFor(sealed: string): string {
  return placeholderOf(createHash('sha256').update(sealed).digest('base64url').slice(0, markLength))
}

const markLength = 22

/** Stores what versions and the audit may show of it, and answers its hash. Audit entries read name and path from it. */
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
  return { ...calledAs(manifest, upgradeConfiguration(JSON.parse(body))), hash: manifest.configuration_hash }
}

/** A configuration was stored under the name that its manifest had then. */
function calledAs({ name }: Place, { configuration, named }: NamedConfiguration): NamedConfiguration {
  return { configuration: { ...configuration, manifestName: name }, named }
}
