import {
  changedConfiguration,
  readConfiguration,
  type Configuration,
  type ConfigurationChange,
} from '@cadmus/model/configuration'
import type { NamedConfiguration } from '@cadmus/model/configuration-names'
import { configurationEditsBetween } from '@cadmus/model/edits/configuration-edits'
import { mayConfigureManifest } from '@cadmus/model/locks'
import { isSecretField, mergeConfigurations } from '@cadmus/model/merge/configuration'
import type { Conflict } from '@cadmus/model/merge/items'
import { messages } from '@cadmus/model/messages'
import { conflict, refuseFields, staleSave } from '../../errors/api-error.ts'
import type { Tx } from '../../store/database.ts'
import type { CurrentConfiguration } from '../../store/configuration-names.ts'
import { lockManifestNames, setManifestConfiguration, type ManifestRow } from '../../store/manifest.ts'
import {
  configurationOf,
  resolveNamesIn,
  putConfiguration,
  putShownConfiguration,
  withMarkedSecrets,
  type StoredConfiguration,
} from '../../store/manifest-configuration.ts'
import { wasNamed } from '../../store/audit-of-target.ts'
import { storable } from '../../store/storable.ts'
import { manifestEntry } from '../audit.ts'
import { transact, type Change, type Work } from '../change.ts'
import { storedBefore } from '../named-save.ts'
import {
  configurationChanges,
  configurationAfter,
  withConfigurationAuthors,
  type ConfigurationSteps,
} from './configuration-history.ts'
import {
  checkConfiguration,
  checkMerged,
  checkRemovedScopes,
  checkServiceOptions,
  checkSize,
} from './configuration-rules.ts'
import {
  changedSecrets,
  recordingBox,
  sealedAsTyped,
  withOwnSecrets,
  withStoredSecrets,
  type Box,
} from './configuration-secrets.ts'
import { checkVersion, lockedManifest } from './manifest-permission.ts'
import { storedSecrets } from './stored-secrets.ts'

type Save = {
  manifestId: number
  /** The manifest version it was made for; undefined: the latest. */
  version: string | undefined
  /** Derives the requested configuration from the base without secrets. Throws 400 for an invalid one. */
  requested: (base: Configuration) => Configuration
  /** Tag of the base state; `*` overwrites. */
  base: string
  /** The organisation's licence limits. */
  licence: string
  /** Whether the organisation may set service options. */
  serviceOptions: boolean
}

/** Saves the configuration, merged by field with concurrent saves. Returns the configuration stored by this save. */
export async function saveConfiguration(change: Change, box: Box, save: Save): Promise<StoredConfiguration> {
  const { organisationId } = change
  return transact(change, 1, async (tx, work) => {
    // Locked before names are resolved, against concurrent deletions and renames.
    await lockManifestNames(tx, organisationId)
    const stored = await storedBefore(tx, change, save.manifestId)
    const left = stored && (await configurationAfter(tx, organisationId, save.manifestId, stored))
    return left ? configurationOf(tx, left) : storeConfiguration(tx, change, work, box, save)
  })
}

/** Converts a request body to a change of a base. 400 if its fields are too large. */
export function configurationFrom(change: ConfigurationChange): (base: Configuration) => Configuration {
  const whole = readConfiguration(change)
  checkSize(whole)
  return base => changedConfiguration(base, change, whole)
}

/** Saves within a transaction that has locked the names of the organisation. */
export async function storeConfiguration(
  tx: Tx,
  { organisationId, actor }: Change,
  work: Work,
  box: Box,
  save: Save,
): Promise<StoredConfiguration> {
  const secrets = recordingBox(box)
  const manifest = await lockedManifest(tx, organisationId, save.manifestId, mayConfigureManifest)
  await checkVersion(tx, manifest, save.version, mayConfigureManifest)
  const before = await configurationOf(tx, manifest)
  const after = await merged(tx, { manifest, save, before, secrets, userId: actor.userId })
  const states = { before: before.configuration, after: after.configuration }
  await checkRemovedScopes(tx, manifest, states)
  checkConfiguration(after.configuration, save.licence, before.configuration)
  if (!save.serviceOptions) checkServiceOptions(states)
  // Writes nothing if nothing changes.
  if (configurationEditsBetween(states.before, states.after).length === 0) return before
  const hash = await putConfiguration(tx, organisationId, after)
  await setManifestConfiguration(tx, organisationId, manifest.id, hash, actor)
  await auditConfiguration(tx, work, manifest, { before, after, typedSecrets: secrets.typed })
  return configurationOf(tx, { ...manifest, configuration_hash: hash })
}

type AuditChange = {
  before: NamedConfiguration
  after: NamedConfiguration
  description?: string
  typedSecrets?: readonly string[]
}

/** The entry shows both states without secrets; undoing uses the encrypted one. */
export async function auditConfiguration(
  tx: Tx,
  work: Work,
  manifest: ManifestRow,
  { before, after, description, typedSecrets = [] }: AuditChange,
): Promise<void> {
  const { organisation_id: organisationId } = manifest
  work.audit(
    manifestEntry(manifest, {
      action: 'UPDATE',
      contentKind: 'configuration',
      description: description ?? configured(manifest.name, before.configuration, after.configuration),
      before: await putShownConfiguration(tx, organisationId, manifest, before),
      after: await putShownConfiguration(tx, organisationId, manifest, after),
      restoration: {
        manifest: { configuration_hash: manifest.configuration_hash },
        ...(typedSecrets.length === 0 ? {} : { typedSecrets: [...typedSecrets] }),
      },
      // Secrets are placeholders, which a later save can send back.
      edits: configurationEditsBetween(withMarkedSecrets(before.configuration), withMarkedSecrets(after.configuration)),
    }),
  )
}

/** The entry contains no secrets: its text states that one changed. */
function configured(name: string, before: Configuration, after: Configuration): string {
  return [messages.audit.configured(name), changedSecrets(before, after)].filter(Boolean).join(' ')
}

type Sides = {
  manifest: ManifestRow
  save: Pick<Save, 'requested' | 'base'>
  before: StoredConfiguration
  secrets: Box
  /** Author of the save. */
  userId: string
}

/** Name and uid belong together: all sides get current names, even if items were renamed since the save began. */
async function merged(
  tx: Tx,
  { manifest, save: { base, requested: requestedOf }, before, secrets, userId }: Sides,
): Promise<CurrentConfiguration> {
  const isPresent = base === '*' || base === before.hash
  const steps = isPresent ? [] : await changesSince(tx, manifest, base)
  const former = steps.at(-1)?.before
  const origin = former ? await configurationOf(tx, former) : before
  // The secret flag of a typed value may be omitted; then the stored one applies.
  const typed = requestedOf(withMarkedSecrets(origin.configuration))
  await checkName(tx, manifest, typed.manifestName)
  const requested = await sealedAsTyped(secrets, typed)
  const named = await resolveNamesIn(tx, manifest, { ...requested, manifestName: manifest.name }, origin.named)
  const states = [origin.configuration, before.configuration] as const
  const stored = await storedSecrets(tx, manifest, named.configuration, states)
  const mine = withStoredSecrets(named.configuration, stored)
  if (isPresent) return { configuration: mine, named: named.named }
  const merge = (side: Configuration) => mergeConfigurations(origin.configuration, side, before.configuration)
  const asOne = ({ merged: both }: { merged: Configuration }) => {
    checkMerged(both)
    return resolveNamesIn(tx, manifest, both, [...named.named, ...before.named])
  }
  const first = merge(mine)
  if (first.conflicts === undefined) return asOne(first)
  const attributed = await withConfigurationAuthors(tx, first.conflicts, steps, before.configuration)
  const own = withOwnSecrets(secrets, mine, attributed, userId)
  const second = own === mine ? first : merge(own)
  if (second.conflicts === undefined) return asOne(second)
  const isLeft = isSamePlaceAs(second.conflicts)
  // No secret leaves the server, not even a conflicting one.
  const shown = attributed.filter(isLeft).map(({ userId: by, typed: _typed, ...one }) => {
    const isHidden = isSecretField(one, [...states, mine])
    const values = isHidden ? { base: null, mine: null, theirs: null } : {}
    return { ...one, ...values, ...(by === userId ? { own: true as const } : {}) }
  })
  throw staleSave(messages.staleSave, before.hash, shown)
}

/** 400 for a name that the manifest never had, because a configuration cannot rename it. */
async function checkName(tx: Tx, { id, organisation_id: owner, name: now }: ManifestRow, name: string): Promise<void> {
  if (name === now || (await wasNamed(tx, owner, { id, name: storable(name) }))) return
  refuseFields([{ path: 'manifestName', message: messages.readOnly('manifestName') }])
}

function isSamePlaceAs(left: readonly Conflict[]): (conflict: Conflict) => boolean {
  const places = new Set(left.map(({ path, field }) => `${path} ${field}`))
  return ({ path, field }) => places.has(`${path} ${field}`)
}

/** Changes since the state of the tag, which must be one of this manifest: placeholders refer to that state's secrets. */
async function changesSince(tx: Tx, manifest: ManifestRow, base: string): Promise<ConfigurationSteps> {
  const steps = await configurationChanges(tx, manifest, base)
  if (steps === null) throw conflict(messages.unknownConfigurationBase)
  return steps
}
