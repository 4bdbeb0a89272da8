import { grouped } from './grouped.ts'

/** What the page says of a manifest that goes out as a folder of documents. */
export const folderExportTexts = {
  kinds: {
    CDM_SCHEMA: {
      title: 'Export CDM Schema',
      holds: 'The zip holds the manifest with its sub-manifests as documents of the Common Data Model.',
      files: 'documents',
    },
    ENTITY_GLOOP_MODEL: {
      title: 'Export Data Model',
      holds: 'The zip holds the entities of the manifest and its sub-manifests as JSON models, one for each.',
      files: 'models',
    },
  },
  asking: (files: string) => `Looking for what its ${files} do not say...`,
  unsaid: (count: number, files: string) => {
    if (count === 0) return `Its ${files} say all of it.`
    return `${grouped(count)} ${count === 1 ? 'thing' : 'things'} that its ${files} do not say`
  },
  list: (files: string) => `What its ${files} do not say`,
} as const

export type FolderExportType = keyof typeof folderExportTexts.kinds
