import { grouped } from './grouped.ts'

/** What is said of unsaved changes that the browser keeps. */
export const draftTexts = {
  draftRestored: (count: string, when: string) => `Restored draft: ${count} from ${when}, not saved yet.`,
  secretsNotKept: 'Passwords and secret values are not kept in the browser: enter them again.',
  logoutDiscards: 'Logging out discards them, in every tab of this browser:',
  draftsForgotten:
    'You logged out in another tab, and your unsaved changes are no longer kept. Save what you want before you leave this page.',
  inOrganisation: (name: string, organisation: string) => `${name} in ${organisation}`,
  severalDrafts: (name: string, count: number) => `${name} (${grouped(count)} drafts)`,
  draftUnreadable: (name: string) =>
    `Unsaved changes of ${name} cannot be read by this version of Cadmus. They stay kept in this browser.`,
  draftWithoutEntity: (name: string) => `${name} was deleted, and with it your unsaved changes.`,
} as const
