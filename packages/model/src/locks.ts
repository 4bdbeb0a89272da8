import type { EntityType } from './entity-types.ts'
import { messages } from './messages.ts'
import { compareVersions, latestVersion } from './version.ts'

export type Verdict = { allowed: true } | { allowed: false; reason: string }

/** State of an entity that decides which actions are allowed. */
export type EntityState = {
  isDefault: boolean
  type: EntityType
  currentVersion: string
  latestVersion: string
  /** Owned by another organisation than the current one, and the user is not an administrator. */
  isForeign?: boolean
}

export type ManifestState = Omit<EntityState, 'type'>

/** Whether name and description may be changed. */
export function mayEditEntity(state: EntityState): Verdict {
  return verdict(foreign(state), core(state), kind(state), version(state))
}

/** Adding, changing, reordering and deleting columns; setting and removing the parent. */
export function mayEditAttributes(state: EntityState): Verdict {
  return mayEditEntity(state)
}

export function mayDeleteEntity(state: EntityState): Verdict {
  return mayEditEntity(state)
}

/** Choosing the version shown in the property panel. */
export function mayChooseVersion(state: EntityState): Verdict {
  return verdict(foreign(state), kind(state))
}

/** Adding and deleting versions, also from an old version. */
export function mayManageVersions(state: EntityState): Verdict {
  return verdict(foreign(state), core(state), kind(state))
}

/** Scopes are always editable: on a locked entity only they are stored, for a predefined one separately. */
export function mayEditScopes(state: Pick<EntityState, 'isForeign'>): Verdict {
  return verdict(foreign(state))
}

/** Saving. A locked entity accepts changes of scopes only. */
export function maySaveEntity(state: EntityState, changes: { onlyScopes: boolean }): Verdict {
  return changes.onlyScopes ? mayEditScopes(state) : mayEditEntity(state)
}

/** Reload Entity: for administrators, on a default entity. */
export function mayReloadEntity(state: Pick<EntityState, 'isDefault'>, user: { isAdmin: boolean }): boolean {
  return state.isDefault && user.isAdmin
}

/** Reload Manifest: for administrators, on a default manifest. */
export function mayReloadManifest(state: Pick<ManifestState, 'isDefault'>, user: { isAdmin: boolean }): boolean {
  return mayReloadEntity(state, user)
}

/** Name, members and sub-manifests, added by dialog or by drop. */
export function mayEditManifest(state: ManifestState): Verdict {
  return verdict(foreign(state), core(state), version(state))
}

/** Removing an entity or sub-manifest. A TEMPLATE member may be removed too, because that does not delete it. */
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

/** A predefined manifest cannot be exported, but it can be built as a package. */
export function mayExportManifest(state: ManifestState): Verdict {
  return verdict(foreign(state), state.isDefault ? messages.predefinedExport : undefined)
}

/** Deleting a version: any but the latest, if versions may be managed. */
export function mayDeleteVersion(deleted: string, existing: readonly string[], manage: Verdict): Verdict {
  if (!manage.allowed) return manage
  const latest = latestVersion(existing)
  const isLatest = latest === undefined || compareVersions(deleted, latest) === 0
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
