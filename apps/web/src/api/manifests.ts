import type { ExportOptions, ExportTarget, ExportType } from '@cadmus/model/export-formats'
import type { DatabaseType } from '@cadmus/model/database-types'
import type { ImportKind } from '@cadmus/model/import-formats'
import {
  addEntitiesToManifest,
  addManifestVersion as addManifestVersionCall,
  addSubManifests as addSubManifestsCall,
  createManifestByWizard as createManifestByWizardCall,
  deleteManifest as deleteManifestCall,
  deleteManifestVersion as deleteManifestVersionCall,
  getManifest,
  listManifestParents,
  listManifestVersions,
  removeEntityFromManifest as removeEntityFromManifestCall,
  removeSubManifest as removeSubManifestCall,
} from '@cadmus/model/contract/manifest'
import type { OnReferences } from '@cadmus/model/detach'
import {
  cancelImport as cancelImportCall,
  downloadImportReport as downloadImportReportCall,
  exportManifest as exportManifestCall,
  getImportProgress,
  importManifest as importManifestCall,
  previewExport as previewExportCall,
  validateManifest as validateManifestCall,
} from '@cadmus/model/contract/manifest-transfer'
import { type ManifestAnswer, type manifestWizardRequest } from '@cadmus/model/contract/manifest-shapes'
import { type ManifestListItem } from '@cadmus/model/contract/lists'
import { useQuery } from '@tanstack/react-query'
import type * as z from 'zod'
import { creating, type Form } from './creation-id.ts'
import { callApi, callForFile, callWithTag } from './client.ts'
import { saveFile } from './download.ts'
import { manifestPage, type ManifestPageQuery } from './lists.ts'
import {
  invalidate,
  invalidateBefore,
  isBelow,
  keyIn,
  keys,
  queryClient,
  refreshStructure,
  scoped,
} from './query-client.ts'
import { currentScope, isAdministration, type Scope } from './scope.ts'
import type { CallOptions } from './send.ts'

export type ManifestWizardBody = z.input<typeof manifestWizardRequest>
export type LoadedManifest = { manifest: ManifestAnswer; etag: string }

export function manifestQuery(id: number, version?: string, scope?: Scope) {
  const read = async (options: CallOptions): Promise<LoadedManifest> => {
    const { answer, etag } = await callWithTag(getManifest, { params: { id }, query: { version } }, options)
    return { manifest: answer.manifest, etag }
  }
  return scoped(keys.manifest(id, version), read, scope)
}

/** A manifest with its members, or one of its versions. */
export function useManifest(id: number, version?: string, enabled = true) {
  return useQuery({ ...manifestQuery(id, version), enabled })
}

/** Versions of a manifest, highest first. */
export function useManifestVersions(id: number) {
  const read = (options: CallOptions) => callApi(listManifestVersions, { params: { id } }, options)
  return useQuery(scoped(keys.manifestVersions(id), async options => (await read(options)).manifestVersions))
}

/** Manifests that contain this one: the first `limit` and the total. */
export async function manifestParents(id: number, limit: number, options: CallOptions) {
  return callApi(listManifestParents, { params: { id }, query: { limit } }, options)
}

/** Manifests as picker options, by default the manifests of the organisation. */
export function manifestSource(query: Pick<ManifestPageQuery, 'filter' | 'exclude'> = { filter: 'PRIVATE' }) {
  const scope = currentScope()
  return {
    key: keyIn([...keys.options, 'manifest', query], scope),
    load: async (search: string, page: number, limit: number, signal: AbortSignal) => {
      const answer = await manifestPage({ ...query, search, page, limit, order: 'match' }, { signal, scope })
      return { options: answer.manifests.map(manifestOption), total: answer.totalElements }
    },
  }
}

function manifestOption(item: ManifestListItem) {
  return { value: String(item.id), label: item.name, detail: item.folder, data: item }
}

/**
 * Creates a manifest. Returns it with the package being built from it, or why the build could not start. `form`: the
 * form with the input.
 */
export async function createManifestByWizard(body: ManifestWizardBody, form: Form) {
  const make = (saveId: string) => callApi(createManifestByWizardCall, { query: { saveId }, body })
  const answer = await creating(['manifest', body], make, form)
  refreshStructure()
  return answer
}

export async function deleteManifest(id: number, onReferences: OnReferences | undefined, scope: Scope): Promise<void> {
  await callApi(deleteManifestCall, { params: { id }, query: { onReferences } }, { scope })
  queryClient.removeQueries({ predicate: isBelow([['manifests', 'one', id]]) })
  refreshStructure()
}

/**
 * Adds independent copies of the entities (EXCLUSIVE); in another organisation an administrator adds references to
 * them (TEMPLATE).
 */
export async function addEntities(id: number, entityIds: readonly number[]) {
  const answer = await callApi(addEntitiesToManifest, {
    params: { id },
    body: { entityIds: [...entityIds], type: isAdministration() ? 'TEMPLATE' : 'exclusive' },
  })
  refreshStructure()
  return answer.entities
}

export async function removeEntityFromManifest(
  id: number,
  entityId: number,
  { onReferences, scope }: { onReferences: OnReferences | undefined; scope: Scope },
): Promise<void> {
  await callApi(removeEntityFromManifestCall, { params: { id, entityId }, query: { onReferences } }, { scope })
  refreshStructure()
}

export async function addSubManifests(id: number, submanifests: readonly number[]): Promise<void> {
  await callApi(addSubManifestsCall, { params: { id }, body: { submanifests: [...submanifests] } })
  refreshStructure()
}

export async function removeSubManifest(id: number, subId: number, scope: Scope): Promise<void> {
  await callApi(removeSubManifestCall, { params: { id, subId } }, { scope })
  refreshStructure()
}

/** All problems, or those of such an export; `message` is the message of the first error, or empty. */
export async function validateManifest(id: number, exportType: ExportTarget | undefined, options: CallOptions) {
  return callApi(validateManifestCall, { params: { id }, query: { exportType } }, options)
}

/** Request of an export, in its format and with the options that it has. */
export type ExportBody = { exportType: ExportType } & Partial<ExportOptions>

/** Downloads the manifest; returns the file name. */
export async function exportManifest(id: number, options: ExportBody, signal: AbortSignal): Promise<string> {
  const body = { ...defaultDatabase, ...options }
  const { blob, fileName } = await callForFile(exportManifestCall, { params: { id }, body }, { signal })
  saveFile(blob, fileName)
  return fileName
}

/** Returns the download as text and the number of notes, each of which has a line at its end. */
export async function previewExport(id: number, options: ExportBody, signal: AbortSignal) {
  const body = { ...defaultDatabase, ...options }
  return callApi(previewExportCall, { params: { id }, body }, { signal })
}

/** The call requires a type even for formats without a database. */
const defaultDatabase = { databaseType: 'postgresql' } as const

export type ImportChoices = { importAs: ImportKind; database: DatabaseType | null; root: string | null; key: string }

/**
 * Imports the zip of a manifest; `key` (a UUID) identifies the import for importProgress and cancelImport. If the file
 * has several root manifests, the failure lists them and one must be chosen.
 */
export async function importManifest(file: File, choices: ImportChoices, signal: AbortSignal) {
  const answer = await callApi(importManifestCall, importInput(file, choices), { signal })
  refreshStructure()
  return answer
}

export function importInput(file: File, { importAs, database, root, key }: ImportChoices) {
  const chosen = root === null ? { askForRoot: 'true' as const } : { rootManifest: root }
  const databaseType = database ?? undefined
  return {
    query: { key, databaseType, ...chosen },
    body: undefined,
    fields: { importAs },
    files: { manifestFile: file },
  }
}

export async function importProgress(key: string, options: CallOptions = {}) {
  return callApi(getImportProgress, { params: { key } }, options)
}

export type ReportFormat = 'csv' | 'text' | 'json'

export async function downloadImportReport(key: string, format: ReportFormat): Promise<void> {
  const { blob, fileName } = await callForFile(downloadImportReportCall, { params: { key }, query: { format } })
  saveFile(blob, fileName)
}

export async function cancelImport(key: string): Promise<void> {
  await callApi(cancelImportCall, { params: { key } })
}

export async function addManifestVersion(id: number, version: string, form: Form): Promise<void> {
  const add = (saveId: string) => callApi(addManifestVersionCall, { params: { id }, query: { version, saveId } })
  await creating(['manifest version', id, version], add, form)
  // The next version is suggested from these.
  await invalidateBefore([keys.manifestVersions(id), keys.manifest(id)], keys.manifests)
}

export async function deleteManifestVersion(id: number, version: string): Promise<void> {
  await callApi(deleteManifestVersionCall, { params: { id }, query: { version } })
  void invalidate(keys.manifests)
}
