/** Entries of the audit log about documents. */
export const auditTexts = {
  created: (entity: string) => `Created entity ${entity}.`,
  imported: (entity: string) => `Imported entity ${entity}.`,
  reloadedManifest: (manifest: string) => `Reloaded manifest ${manifest} from the library.`,
  reloaded: (entity: string) => `Reloaded entity ${entity} from the library.`,
  copied: (entity: string, manifest: string) => `Copied entity ${entity} to manifest ${manifest}.`,
  deleted: (entity: string) => `Deleted entity ${entity}.`,
  movedTo: (columns: string, entity: string) => `moved ${columns} to ${entity}`,
  movedFrom: (columns: string, entity: string) => `moved ${columns} from ${entity}`,
  detached: (entities: string) => `Removed references to ${entities}, which was deleted.`,
  keyInherited: (entity: string, parent: string) => `${entity} now inherits its key from ${parent}.`,
  keyAgain: (entity: string) => `${entity} has its own key again: it no longer inherits one.`,
  keyReplaced: (entity: string) => `${entity} now has the automatic key "id": its former key was removed.`,
  referencesUpdated: (columns: string) => `Updated references to renamed columns: ${columns}.`,
  deletedWith: (entity: string, manifest: string) => `Deleted entity ${entity} with manifest ${manifest}.`,
  deletedFrom: (entity: string, manifest: string) => `Deleted entity ${entity}, removed from manifest ${manifest}.`,
  joined: (entities: string, manifest: string) => `Added entity ${entities} to manifest ${manifest}.`,
  deletedForNameConflict: (entity: string, manifest: string) =>
    `Removed entity ${entity} from manifest ${manifest} because of a name conflict.`,
  left: (entities: string, manifest: string) => `Removed entity ${entities} from manifest ${manifest}.`,
  manifestCreated: (manifest: string) => `Created manifest ${manifest}.`,
  manifestDuplicated: (manifest: string, original: string) =>
    `Created manifest ${manifest} as a duplicate of ${original}.`,
  manifestRenamed: (before: string, after: string) => `Renamed manifest ${before} to ${after}.`,
  manifestImported: (manifest: string) => `Imported manifest ${manifest}.`,
  manifestDeleted: (manifest: string) => `Deleted manifest ${manifest}.`,
  subManifestsAdded: (subManifests: string, manifest: string) =>
    `Added sub-manifest ${subManifests} to manifest ${manifest}.`,
  subManifestRemoved: (subManifest: string, manifest: string) =>
    `Removed sub-manifest ${subManifest} from manifest ${manifest}.`,
  configured: (manifest: string) => `Changed the configuration of manifest ${manifest}.`,
  pinned: (manifest: string) => `The configuration of manifest ${manifest} now follows renames.`,
  ofVersion: (version: string, what: string) => `Version ${version}: ${what}`,
  versionAdded: (version: string, thing: string) => `Added version ${version} of ${thing}.`,
  versionDeleted: (version: string, thing: string) => `Deleted version ${version} of ${thing}.`,
  restored: (name: string) => `Restored ${name} from the log.`,
  example: 'Created as an example.',
} as const

/** Entries of the audit log about packages. */
export const packageAuditTexts = {
  began: (name: string, version: string, manifest: string) =>
    `Started to build package ${name} ${version} of manifest ${manifest}.`,
  built: (name: string, version: string, manifest: string) =>
    `Built package ${name} ${version} of manifest ${manifest}.`,
  buildFailed: (name: string, version: string, manifest: string) =>
    `Failed to build package ${name} ${version} of manifest ${manifest}.`,
  deleted: (name: string, version: string) => `Deleted package ${name} ${version}.`,
  downloadedWithPassword: (name: string, version: string) => `Downloaded package ${name} ${version} with its password.`,
  uploaded: (name: string, version: string, instance: string) => `Uploaded package ${name} ${version} to ${instance}.`,
  previewed: (name: string, version: string, instance: string) =>
    `Sent package ${name} ${version} to ${instance} for a preview.`,
  uploadedWithLoss: (name: string, version: string, instance: string) =>
    `Uploaded package ${name} ${version} to ${instance}, allowing data loss.`,
} as const

/** Entries of the audit log about organisations. */
export const organisationAuditTexts = {
  created: (code: string) => `Created organisation ${code}.`,
  renamed: (code: string, before: string, after: string) => `Renamed organisation ${code} from ${before} to ${after}.`,
  licensed: (code: string, changes: string) => `Changed the licence limits of organisation ${code}: ${changes}.`,
  memberAdded: (user: string, code: string, subscription: number) =>
    `Added ${user} to organisation ${code} with subscription ${subscription}.`,
  subscribed: (user: string, code: string, before: number, after: number) =>
    `Changed the subscription of ${user} in organisation ${code} from ${before} to ${after}.`,
  memberRemoved: (user: string, code: string) => `Removed ${user} from organisation ${code}.`,
} as const
