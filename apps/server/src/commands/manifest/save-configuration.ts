import {
  changedConfiguration,
  type Configuration,
  type ConfigurationChange,
  configurationExcess,
  newConfiguration,
  readConfiguration,
} from '@cadmus/model/configuration'
import type { NamedConfiguration } from '@cadmus/model/configuration-names'
import { configurationEditsBetween } from '@cadmus/model/edits/configuration-edits'
import { isEqual } from '@cadmus/model/equal'
import { parseLicence } from '@cadmus/model/licence'
import { mayConfigureManifest } from '@cadmus/model/locks'
import { conflictValue, isSecretField, mergeConfigurations } from '@cadmus/model/merge/configuration'
import type { Conflict, Conflict as MergeConflict } from '@cadmus/model/merge/items'
import { messages } from '@cadmus/model/messages'
import { auditTexts } from '@cadmus/model/messages/audit'
import { configurationProblems } from '@cadmus/model/rules/configuration'
import { removedScope, usedScopes } from '@cadmus/model/rules/scopes'
import { conflict, forbidden, invalid, refuseFields, staleSave } from '../../errors/api-error.ts'
import { restorationsOf, wasNamed } from '../../store/audit-of-target.ts'
import type { CurrentConfiguration } from '../../store/configuration-names.ts'
import { contentByHash } from '../../store/content.ts'
import type { Db, Tx } from '../../store/database.ts'
import { scopesOfEntities } from '../../store/entity-scopes.ts'
import {
  configurationOf,
  configurationTag,
  putConfiguration,
  putShownConfiguration,
  resolveNamesIn,
  type StoredConfiguration,
  withMarkedSecrets,
} from '../../store/manifest-configuration.ts'
import { manifestById, type ManifestRow, setManifestConfiguration } from '../../store/manifest.ts'
import { manifestsBelow, memberIds } from '../../store/resolved-rows.ts'
import { storable } from '../../store/statements.ts'
import { manifestEntry } from '../audit.ts'
import type { Change, Work } from '../change.ts'
import {
  type Box,
  changedSecrets,
  checkSize,
  recordingBox,
  sealedAsTyped,
  storedSecrets,
  withOwnSecrets,
  withStoredSecrets,
} from './configuration-secrets.ts'
import { checkVersion, lockedManifest } from './manifest-permission.ts'

export type ConfigurationRequest = {
  /** Derives the requested configuration from the base without secrets. Throws 400 for an invalid one. */
  requested: (base: Configuration) => Configuration
  /** The organisation's licence limits. */
  licence: string
  /** Whether the organisation may set service options. */
  serviceOptions: boolean
  box: Box
}
type Save = ConfigurationRequest & {
  /** Of the manifest. */
  id: number
  /** The manifest version it was made for; undefined: the latest. */
  version: string | undefined
  /** Tag of the base state; `*` overwrites. */
  base: string
  /** A former state whose secrets the request may name, however long ago it was. */
  secretsOf?: Configuration
}

/** Converts a request body to a change of a base. */
export function configurationFrom(change: ConfigurationChange): (base: Configuration) => Configuration {
  const whole = readConfiguration(change)
  return base => changedConfiguration(base, change, whole)
}

/**
 * Saves the configuration within a transaction, merged by field with concurrent saves. Requires the name lock, against
 * concurrent deletions and renames.
 */
export async function saveConfiguration(
  tx: Tx,
  { organisationId, actor }: Change,
  work: Work,
  save: Save,
): Promise<void> {
  const secrets = recordingBox(save.box)
  const manifest = await lockedManifest(tx, organisationId, save.id, mayConfigureManifest)
  await checkVersion(tx, manifest, save.version, mayConfigureManifest)
  const before = await configurationOf(tx, manifest)
  const after = await merged(tx, { manifest, save, before, secrets, userId: actor.userId })
  const states = { before: before.configuration, after: after.configuration }
  await checkRemovedScopes(tx, manifest, states)
  checkConfiguration(after.configuration, save.licence, before.configuration)
  if (!save.serviceOptions) checkServiceOptions(states)
  // Writes nothing if nothing changes.
  if (configurationEditsBetween(states.before, states.after).length === 0) return
  const hash = await putConfiguration(tx, organisationId, after)
  await setManifestConfiguration(tx, organisationId, manifest.id, hash, actor)
  await auditConfiguration(tx, work, manifest, { before, after, typedSecrets: secrets.typed })
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
  return [auditTexts.configured(name), changedSecrets(before, after)].filter(Boolean).join(' ')
}

type Sides = {
  manifest: ManifestRow
  save: Pick<Save, 'requested' | 'base' | 'secretsOf'>
  before: StoredConfiguration
  secrets: Box
  /** Author of the save. */
  userId: string
}

/** Name and uid belong together: all sides get current names, even if items were renamed since the save began. */
async function merged(
  tx: Tx,
  { manifest, save: { base, requested: requestedOf, secretsOf }, before, secrets, userId }: Sides,
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
  const states = [origin.configuration, before.configuration, ...(secretsOf ? [secretsOf] : [])] as const
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

type ConfigurationSteps = readonly (Author & { before: ManifestRow })[]

/** `userId`: '' if not logged. `typed`: placeholders of secrets entered in the change. */
type Author = { userId: string; who: string; when: string; typed: readonly string[] }

/**
 * Changes of a manifest's configuration since the state of the tag, newest first, up to the change that replaced this
 * state; null if the manifest never had it. Each change contains the stored configuration before it with encrypted
 * secrets, because the contents of entries have no secrets and do not show password changes.
 */
async function configurationChanges(db: Db, manifest: ManifestRow, base: string): Promise<ConfigurationSteps | null> {
  const { organisation_id: organisationId } = manifest
  // A content that the organisation never stored was never a state of a manifest, regardless of the length of the log.
  if (base !== configurationTag(null) && (await contentByHash(db, organisationId, base)) === undefined) return null
  const steps: ConfigurationSteps[number][] = []
  for await (const entry of restorationsOf(db, organisationId, manifest.id, 'configuration')) {
    const hash = entry.restoration.manifest?.configuration_hash
    if (hash === undefined) continue
    const { user_id: userId, user_name: who, at: when } = entry
    const { typedSecrets: typed = [] } = entry.restoration
    steps.push({ userId, who, when, typed, before: { ...manifest, configuration_hash: hash } })
    if (configurationTag(hash) === base) return steps
  }
  return null
}

/** The current configuration and those before the last saves, newest first. */
export async function* recentConfigurations(
  db: Db,
  manifest: ManifestRow,
  saves: number,
): AsyncGenerator<Configuration, void> {
  yield (await configurationOf(db, manifest)).configuration
  let left = saves
  for await (const { restoration } of restorationsOf(db, manifest.organisation_id, manifest.id, 'configuration')) {
    const hash = restoration.manifest?.configuration_hash
    if (hash === undefined) continue
    if (left-- === 0) return
    yield (await configurationOf(db, { ...manifest, configuration_hash: hash })).configuration
  }
}

/** The manifest with its configuration after the entry's save; undefined if it was deleted. */
export async function configurationAfter(
  db: Db,
  organisationId: number,
  manifestId: number,
  entry: { sequence: number },
): Promise<ManifestRow | undefined> {
  // Read after its entry; earlier it could be the state before the save.
  const manifest = await manifestById(db, organisationId, manifestId)
  if (!manifest) return undefined
  // An entry holds the state before it, so a save's result is in the next entry.
  let hash = manifest.configuration_hash
  for await (const { sequence, restoration } of restorationsOf(db, organisationId, manifest.id, 'configuration')) {
    if (sequence <= entry.sequence) break
    const before = restoration.manifest?.configuration_hash
    if (before !== undefined) hash = before
  }
  return { ...manifest, configuration_hash: hash }
}

/** Adds author and time of the last change to each conflicting field; empty if not logged. */
async function withConfigurationAuthors(
  db: Db,
  conflicts: readonly MergeConflict[],
  steps: ConfigurationSteps,
  current: Configuration,
): Promise<(MergeConflict & Author)[]> {
  const open = new Set(conflicts)
  const authors = new Map<MergeConflict, Author>()
  let after = current
  for (const { before: manifest, ...author } of steps) {
    if (open.size === 0) break
    const { configuration: before } = await configurationOf(db, manifest)
    for (const conflict of open) {
      if (isEqual(conflictValue(conflict, before), conflictValue(conflict, after))) continue
      authors.set(conflict, author)
      open.delete(conflict)
    }
    after = before
  }
  const nobody = { userId: '', who: '', when: '', typed: [] }
  return conflicts.map(conflict => ({ ...conflict, ...(authors.get(conflict) ?? nobody) }))
}

/** 400 for problems of a configuration by itself or with the licence. Problems already in `before` are accepted. */
export function checkConfiguration(configuration: Configuration, licence: string, before?: Configuration): void {
  checkSize(configuration)
  const context = { licence: parseLicence(licence) }
  const accepted = new Set(before && configurationProblems(before, context).map(problem => problem.message))
  const problems = configurationProblems(configuration, context).filter(problem => !accepted.has(problem.message))
  const [first] = problems
  if (first !== undefined) throw invalid(first.message, problems)
}

/** 400 for lists that exceed their limits after a merge. */
function checkMerged(configuration: Configuration): void {
  const excess = configurationExcess(configuration)
  if (excess[0] !== undefined) throw invalid(excess[0].message, excess)
}

/** 403 for service options set without permission; existing options are kept and may be turned off. */
export function checkServiceOptions({ before, after }: { before: Configuration; after: Configuration }): void {
  const { serviceConfiguration: requested } = after.configurationBuild
  const allowed = [before, newConfiguration('')].map(
    ({ configurationBuild }) => configurationBuild.serviceConfiguration,
  )
  if (!allowed.some(one => isEqual(one, requested))) throw forbidden(messages.serviceOptions)
}

/** 400 for removing a scope in use by global scopes or by an entity of the manifest or a sub-manifest. */
async function checkRemovedScopes(
  db: Db,
  manifest: ManifestRow,
  { before, after }: { before: Configuration; after: Configuration },
): Promise<void> {
  const { scopeDefinitions, globalScopes } = after.configurationBuild.apiScopeConfiguration
  const remaining = new Set(scopeDefinitions)
  const removed = before.configurationBuild.apiScopeConfiguration.scopeDefinitions.filter(
    scope => !remaining.has(scope),
  )
  if (removed.length === 0) return
  const { organisation_id: organisationId } = manifest
  const ids = await memberIds(db, organisationId, await manifestsBelow(db, organisationId, manifest))
  const entities = await scopesOfEntities(db, organisationId, ids)
  const used = usedScopes({ globalScopes, entities })
  const path = 'configurationBuild.apiScopeConfiguration.scopeDefinitions'
  const errors = removed.flatMap(scope => {
    const message = removedScope(scope, used)
    return message === undefined ? [] : [{ path, message }]
  })
  if (errors[0] !== undefined) throw invalid(errors[0].message, errors)
}
