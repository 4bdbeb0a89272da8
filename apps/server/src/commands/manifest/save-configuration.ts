import { readConfiguration, type Configuration } from '@cadmus/model/configuration'
import type { NamedConfiguration } from '@cadmus/model/configuration-names'
import { configurationEditsBetween } from '@cadmus/model/edits/configuration-edits'
import { mayConfigureManifest } from '@cadmus/model/locks'
import { isSecretField, mergeConfigurations } from '@cadmus/model/merge-configuration'
import { messages } from '@cadmus/model/messages'
import * as z from 'zod'
import { conflict, invalidInput } from '../../errors/api-error.ts'
import type { Tx } from '../../store/database.ts'
import type { TodaysConfiguration } from '../../store/configuration-names.ts'
import { lockManifestNames, setManifestConfiguration, type ManifestRow } from '../../store/manifest.ts'
import {
  configurationByHash,
  configurationOf,
  pinnedIn,
  putConfiguration,
  putShownConfiguration,
  type StoredConfiguration,
} from '../../store/manifest-configuration.ts'
import { tellOfManifest } from '../audit.ts'
import { transact, type Change, type Work } from '../change.ts'
import { checkConfiguration, checkRemovedScopes, checkServiceOptions } from './configuration-rules.ts'
import { sealed, type Box } from './configuration-secrets.ts'
import { lockedManifest } from './may.ts'

type Save = {
  manifestId: number
  /** As it came: nothing of it was checked yet. */
  given: unknown
  /** The tag of the state that it is based on; `*` overwrites. */
  base: string
  /** The organisation's licence limits. */
  licence: string
  /** Whether the organisation may set service options. */
  serviceOptions: boolean
}

/** Saves the configuration, merged by field with what was saved meanwhile. Answers its new tag. */
export async function saveConfiguration(change: Change, secrets: Box, save: Save): Promise<string> {
  const { organisationId, actor } = change
  const wanted = checked(save.given)
  return transact(change, 1, async (tx, work) => {
    // Held before what it names is looked up: a deletion or a renaming waits, or was before.
    await lockManifestNames(tx, organisationId)
    const manifest = await lockedManifest(tx, organisationId, save.manifestId, mayConfigureManifest)
    const before = await configurationOf(tx, manifest)
    const after = await merged(tx, { manifest, wanted, base: save.base, before, secrets })
    const states = { before: before.configuration, after: after.configuration }
    await checkRemovedScopes(tx, manifest, states)
    checkConfiguration(after.configuration, save.licence, before.configuration)
    if (!save.serviceOptions) checkServiceOptions(states)
    // What changes nothing writes nothing, as with an entity.
    if (configurationEditsBetween(states.before, states.after).length === 0) return before.hash
    const hash = await putConfiguration(tx, organisationId, after)
    await setManifestConfiguration(tx, organisationId, manifest.id, hash, actor)
    await tellOfConfiguration(tx, work, manifest, { before, after })
    return hash
  })
}

/** The entry shows both states without secrets; restoring takes the sealed one. */
export async function tellOfConfiguration(
  tx: Tx,
  work: Work,
  manifest: ManifestRow,
  { before, after, description }: { before: NamedConfiguration; after: NamedConfiguration; description?: string },
): Promise<void> {
  const { organisation_id: organisationId } = manifest
  work.tell(
    tellOfManifest(manifest, {
      action: 'UPDATE',
      contentKind: 'configuration',
      description: description ?? messages.audit.configured(manifest.name),
      before: await putShownConfiguration(tx, organisationId, manifest, before),
      after: await putShownConfiguration(tx, organisationId, manifest, after),
      restoration: { manifest: { configuration_hash: manifest.configuration_hash } },
    }),
  )
}

/** The configuration that a body means; 400 that says where it is none. */
export function checked(given: unknown): Configuration {
  try {
    return readConfiguration(given)
  } catch (error) {
    if (error instanceof z.ZodError) throw invalidInput(error)
    throw error
  }
}

type Sides = {
  manifest: ManifestRow
  wanted: Configuration
  base: string
  before: StoredConfiguration
  secrets: Box
}

/** Name and uid are one: what was called otherwise when the save was begun is under the names of today on all sides. */
async function merged(tx: Tx, { manifest, wanted, base, before, secrets }: Sides): Promise<TodaysConfiguration> {
  const isPresent = base === '*' || base === before.hash
  const origin = isPresent ? before : await configurationByHash(tx, manifest, base)
  if (origin === undefined) throw conflict(messages.staleSave)
  const named = await pinnedIn(tx, manifest, { ...wanted, manifestName: manifest.name }, origin.named)
  const mine = sealed(secrets, named.configuration, origin.configuration)
  if (isPresent) return { configuration: mine, named: named.named }
  const merge = mergeConfigurations(origin.configuration, mine, before.configuration)
  if (merge.conflicts === undefined) return pinnedIn(tx, manifest, merge.merged, [...named.named, ...before.named])
  const when = manifest.updated_at
  const states = [origin.configuration, mine, before.configuration]
  const conflicts = merge.conflicts.map(found => {
    // No secret leaves the server, not even one that two people changed.
    const shown = isSecretField(found, states) ? { ...found, base: null, mine: null, theirs: null } : found
    return { ...shown, who: manifest.updated_by, when }
  })
  throw conflict(messages.staleSave, conflicts)
}
