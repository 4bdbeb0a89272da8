import type { EntityType } from './entity-types.ts'
import { messages } from './messages.ts'
import { compareVersions, latestVersion } from './version.ts'

export type Verdict = { allowed: true } | { allowed: false; reason: string }

/** What a button or a command knows of an entity. */
export type EntityState = {
  isDefault: boolean
  type: EntityType
  currentVersion: string
  latestVersion: string
  /** It belongs to another organisation than the one worked in, and no administrator asks. */
  isForeign?: boolean
}

export type ManifestState = Omit<EntityState, 'type'>

/** Name and description. */
export function mayEditEntity(state: EntityState): Verdict {
  return verdict(foreign(state), core(state), kind(state), version(state))
}

/** Type attributes and relationships: add, change, reorder, delete; the extended entity: set and delete. */
export function mayEditAttributes(state: EntityState): Verdict {
  return mayEditEntity(state)
}

export function mayDeleteEntity(state: EntityState): Verdict {
  return mayEditEntity(state)
}

/** Choosing which version is shown in the property panel. */
export function mayChooseVersion(state: EntityState): Verdict {
  return verdict(foreign(state), kind(state))
}

/** Adding and deleting versions; also while an old one is viewed. */
export function mayManageVersions(state: EntityState): Verdict {
  return verdict(foreign(state), core(state), kind(state))
}

/** Scopes are always editable: on a locked entity they alone are stored, on a predefined one beside it. */
export function mayEditScopes(state: Pick<EntityState, 'isForeign'>): Verdict {
  return verdict(foreign(state))
}

/** The save as a whole. Scopes alone can be saved on a locked entity too. */
export function maySaveEntity(state: EntityState, changes: { onlyScopes: boolean }): Verdict {
  return changes.onlyScopes ? mayEditScopes(state) : mayEditEntity(state)
}

/** Reload Entity: an administrator on a default entity. */
export function mayReloadEntity(state: Pick<EntityState, 'isDefault'>, user: { isAdmin: boolean }): boolean {
  return state.isDefault && user.isAdmin
}

/** The same of a manifest. */
export function mayReloadManifest(state: Pick<ManifestState, 'isDefault'>, user: { isAdmin: boolean }): boolean {
  return mayReloadEntity(state, user)
}

/** Name, members, sub-manifests: adding them, by dialog or by drop. */
export function mayEditManifest(state: ManifestState): Verdict {
  return verdict(foreign(state), core(state), version(state))
}

/** Taking an entity or a sub-manifest out. A member in place (TEMPLATE) may go as well: it is not deleted by that. */
export function mayRemoveMember(state: ManifestState): Verdict {
  return mayEditManifest(state)
}

export function mayDeleteManifest(state: ManifestState): Verdict {
  return verdict(foreign(state), core(state))
}

export function mayManageManifestVersions(state: ManifestState): Verdict {
  return verdict(foreign(state), core(state))
}

/** Saving a manifest's configuration. */
export function mayConfigureManifest(state: ManifestState): Verdict {
  return mayEditManifest(state)
}

/** A predefined manifest is not exported as a manifest, though it may be built as a package. */
export function mayExportManifest(state: ManifestState): Verdict {
  return verdict(foreign(state), state.isDefault ? messages.predefinedExport : undefined)
}

/** Deleting one version: every one but the latest, if versions may be managed at all. */
export function mayDeleteVersion(wanted: string, existing: readonly string[], manage: Verdict): Verdict {
  if (!manage.allowed) return manage
  const latest = latestVersion(existing)
  const isLatest = latest === undefined || compareVersions(wanted, latest) === 0
  return verdict(isLatest ? messages.versionLatest : undefined)
}

function verdict(...reasons: readonly (string | undefined)[]): Verdict {
  const reason = reasons.find(text => text !== undefined)
  return reason === undefined ? { allowed: true } : { allowed: false, reason }
}

function foreign(state: { isForeign?: boolean }): string | undefined {
  return state.isForeign ? messages.locked.organisation : undefined
}

function core(state: { isDefault: boolean }): string | undefined {
  return state.isDefault ? messages.locked.default : undefined
}

function kind(state: { type: EntityType }): string | undefined {
  if (state.type === 'CADMUS') return messages.locked.external
  return state.type === 'TEMPLATE' ? messages.locked.template : undefined
}

function version(state: { currentVersion: string; latestVersion: string }): string | undefined {
  return state.currentVersion === state.latestVersion ? undefined : messages.locked.version
}
