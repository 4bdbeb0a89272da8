import { formatCount, visibleText } from '../display.ts'
import { administrationMessages, sessionMessages } from './administration.ts'
import { draftTexts, failureTexts } from './documents.ts'

/** The texts of the page's first load, which has a limit. All others come with the code that shows them. */
export const firstTexts = {
  statusBar: 'Status bar',
  showAsText: 'Show as Text',
  dependents: 'What Depends on This',
  predefinedExport: 'Predefined manifests cannot be exported.',
  locked: {
    default: 'Predefined content is read-only.',
    template: 'A template entity is read-only.',
    external: 'An external-identity entity is read-only.',
    version: 'Only the latest version can be edited.',
    organisation: 'This belongs to another organisation.',
  },
  unsavedChanges: (count: number) => (count === 1 ? '1 unsaved change' : `${count} unsaved changes`),
  exportsSaved: 'An export contains saved changes only.',
  versionHoldsSaved: 'A new version contains saved changes only.',
  ...draftTexts,
  noSuchAddress: (kind: string, id: string) => `The address has no valid ${kind} id: "${id}".`,
  entityDropped: 'Entity added to manifest successfully',
  deleteEntities: (count: number) => `Delete ${formatCount(count)} Entities`,
  deletedTree: {
    manifest: 'Successfully deleted a manifest',
    entity: 'Successfully deleted a entity',
    subManifest: 'Successfully deleted a sub-manifest',
  },
  failed: failureTexts,
  administration: administrationMessages,
  session: sessionMessages,
  confirm: {
    logout: 'Are you sure you want to logout?',
    logoutUnsaved: 'There are unsaved changes, are you sure you want to logout?',
    saveChanges: 'Save Changes?',
  },
  empty: {
    manifests: 'No manifest to display.',
  },
  favouritesFull: (max: number) => `There are ${formatCount(max)} favourites. Remove one first.`,
  referring: {
    more: (count: number) => `and ${formatCount(count)} more`,
  },
  packages: {
    versionBuilding: 'This version is being built. Wait until the build has finished.',
    notBuilt: 'This version was not built.',
    view: {
      newPackage: 'You are currently viewing the new exported Martini package.',
      loading: 'Loading Packages...',
      empty: 'No exported Martini packages to display',
      ofNoManifest: (name: string) => `There is no package of a manifest named "${visibleText(name)}".`,
      deleted: (name: string) => `The package "${visibleText(name)}" no longer exists.`,
      reading: 'Reading from the instances…',
      nowhere: 'Not on any hosted instance.',
      unknownThere: (instance: string, reason: string) =>
        `The packages on ${visibleText(instance)} could not be read. ${reason}`,
      more: (count: string) => `${count} more: search by name.`,
      uploadLeft: 'Stopped waiting for the upload. The instance may still accept the package.',
      versionAbove: 'Check the package version.',
      breaksBelow: (count: number) =>
        count === 1
          ? 'One change breaks callers of the last build.'
          : `${count} changes break callers of the last build.`,
      breaks: 'These changes break callers of the last build:',
      /** An upload refused because of data loss. */
      dataLoss: {
        title: 'Data would be lost',
        goOn: 'Continue…',
        surely: 'Lose this data?',
        lose: 'Lose data and upload',
        irrevocable: (name: string, version: string, instance: string) =>
          `${name} ${version} deletes this data from its database at ${visibleText(instance)}. It cannot be restored:`,
        more: (count: number) => `And ${count} more.`,
        grades: {
          losesData: { heading: 'Loses data', note: 'This data is deleted.' },
          locks: { heading: 'Rewritten', note: 'No data is lost. Callers wait while the tables are rewritten.' },
          safe: { heading: 'Safe', note: 'No existing table is changed.' },
        },
      },
      buildsSaved: 'A package contains saved changes only.',
      leaveTitle: 'Package View',
      leave: 'There are unsaved changes, are you sure you want to proceed to package view?',
      withPassword:
        'The file contains the connection password and all secret properties in plain text. The audit log records the download.',
    },
  },
} as const
