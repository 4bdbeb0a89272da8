import { formatCount } from '../display.ts'
import { limits } from '../limits.ts'

/** Texts about drafts, the unsaved changes stored in the browser. */
export const draftTexts = {
  draftRestored: (count: string, when: string) => `Restored draft: ${count} from ${when}, not saved yet.`,
  secretsNotStored: 'Passwords, secrets and URLs with passwords are not stored in the browser: enter them again.',
  logoutDiscards: 'Logging out discards them, in every tab of this browser:',
  draftsForgotten:
    'You logged out in another tab: unsaved changes are no longer stored in this browser. Save them before you leave this page.',
  inOrganisation: (name: string, organisation: string) => `${name} in ${organisation}`,
  severalDrafts: (name: string, count: number) => `${name} (${formatCount(count)} drafts)`,
  draftWaits: (name: string) =>
    `More unsaved changes of ${name || 'this document'} conflict with those shown. They reappear once these are saved, or when the page is reloaded.`,
  draftsUnreadable: (names: readonly string[]) =>
    `Unsaved changes of ${listed(names)} cannot be read by this version of Cadmus. They remain stored in this browser.`,
  /** Concurrent changes of the same field, by others or by the user. */
  changedByOthers: {
    message: 'Someone else changed the same fields. Your changes are not lost.',
    mine: 'Yours',
    theirs: 'Theirs',
    keepMine: 'Keep mine',
    takeTheirs: 'Take theirs',
  },
  changedInOtherTab: {
    message: 'You changed the same fields elsewhere, such as in another tab. Nothing is lost.',
    mine: 'Here',
    theirs: 'Elsewhere',
    keepMine: 'Keep these',
    takeTheirs: 'Take the others',
  },
  youInOtherTab: 'You, elsewhere',
  /** Drafts of a deleted document. `who` and `when` are '' if unknown. */
  deletedRemotely: (name: string) => `${name} has been deleted.`,
  inputOfDeletedRow: (name: string) =>
    `Someone else deleted ${name}. It stays here with your input as an unsaved change.`,
  deleted: {
    what: (name: string, who: string, when: string) =>
      who === '' ? `${name} was deleted.` : `${name} was deleted by ${who} on ${when}.`,
    version: (name: string, version: string) => `Version ${version} of ${name} was deleted.`,
    unsavedChanges: (count: number) =>
      count === 1 ? 'Your unsaved change is still here.' : `Your ${formatCount(count)} unsaved changes are still here.`,
    locked: 'It was deleted. Save it as new to continue editing.',
    configurationLocked: 'Its manifest was deleted. Export it as JSON to keep it.',
    withoutSecrets: 'The export omits passwords and secrets.',
    saved: (name: string) => `Saved ${name} as a new entity.`,
    discardTitle: 'Discard Changes?',
    discard: (name: string) => `${name} was deleted: your changes exist only here.`,
    manifestGone: (name: string) => `The manifest ${name} was deleted too. Choose another one.`,
  },
} as const

const listedAtMost = 5

/** 'A, B and 3 more' */
function listed(names: readonly string[]): string {
  const all = [...new Set(names)]
  const more = all.length - listedAtMost
  if (more > 0) return `${all.slice(0, listedAtMost).join(', ')} and ${formatCount(more)} more`
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`
}

/** Texts about values beyond their maximum length. */
export const sizeTexts = {
  target: `Each text of another target can have at most ${limits.targetText} characters.`,
  entity: `The content of an entity can have at most ${limits.entityContent} characters.`,
} as const

/** Fallback texts for failures; a message from the server takes precedence or is inserted. */
export const failureTexts = {
  saveEntity: 'Failed to save entity.',
  addEntity: 'Failed to add entity to manifest',
  addSubManifest: 'Failed to add sub-manifest to manifest',
  deleteEntity: 'Failed to delete entity',
  entityVersion: 'Failed to create entity version',
  entityContent: 'Invalid entity json content',
  dropEntity: 'Failed to process dropped entity.',
  customEntity: 'Failed to create custom entity to manifest',
  createManifest: 'Failed to create manifest',
  manifestVersion: 'Failed to create manifest version',
  createEntity: 'Failed to create entity',
  importEntity: 'Failed to import entity',
  importManifest: 'Failed to import manifest',
  downloadReport: 'Failed to download the report',
  renameManifest: 'Failed to rename manifest',
  exportManifest: 'Failed to export manifest',
  deleteManifest: 'Failed to delete manifest',
  deleteManifestUnknown: 'Failed to delete manifest for unknown reason',
  deleteSubManifest: 'Failed to delete sub-manifest',
  saveConfiguration: 'Failed save configuration',
  validation: 'Validation failed',
  unexpected: 'Unexpected error',
  search: 'Entities, manifests and attributes could not be searched.',
  status: (status: number) => `Request failed with status ${status}`,
  openExport: (reason: string) => `Unable to open export manifest dialog - ${reason}`,
  openAddEntity: (reason = 'no manifest parent.') => `Unable to open add entity dialog - ${reason}`,
  openAddSubManifest: (reason: string) => `Unable to open add sub-manifest dialog - ${reason}`,
  refreshCore: (reason: string) => `Failed to refresh core structure: ${reason}`,
  exportEntity: (reason: string) => `Unable to export entity - ${reason}`,
  away: 'The server cannot be reached. Retrying; unsaved changes stay here.',
  workspaceNotLoaded: 'Workspace is not loaded yet.',
} as const
