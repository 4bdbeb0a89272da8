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
  asking: (files: string) => `Checking for content that its ${files} do not support...`,
  unsaid: (count: number, files: string) => {
    if (count === 0) return `Its ${files} support all content.`
    return `${formatCount(count)} ${count === 1 ? 'item' : 'items'} that its ${files} do not support`
  },
  list: (files: string) => `Content that its ${files} do not support`,
} as const

export type FolderExportType = keyof typeof folderExportTexts.kinds
