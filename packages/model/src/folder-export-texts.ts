import { formatCount } from './format-count.ts'

/** Texts about exporting a manifest as a folder of documents. */
export const folderExportTexts = {
  kinds: {
    CDM_SCHEMA: {
      title: 'Export CDM Schema',
      holds: 'The zip contains the manifest and its sub-manifests as Common Data Model documents.',
      files: 'documents',
    },
    ENTITY_GLOOP_MODEL: {
      title: 'Export Data Model',
      holds: 'The zip contains a JSON model for each entity of the manifest and its sub-manifests.',
      files: 'models',
    },
  },
  asking: (files: string) => `Checking what its ${files} cannot express...`,
  unsaid: (count: number, files: string) => {
    if (count === 0) return `Its ${files} express everything.`
    return `${formatCount(count)} ${count === 1 ? 'thing' : 'things'} that its ${files} cannot express`
  },
  list: (files: string) => `What its ${files} cannot express`,
} as const

export type FolderExportType = keyof typeof folderExportTexts.kinds
