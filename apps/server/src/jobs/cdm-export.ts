import { writeArchive } from '@cadmus/formats/archive'
import { writeCdm, type CdmFolderText } from '@cadmus/formats/cdm/write'
import { fileStem } from '@cadmus/formats/file-stem'
import { resolveModel } from '@cadmus/model/resolved-model'
import type { Problem } from '@cadmus/model/problem'
import { firstError, validate } from '@cadmus/model/validate'
import type { Store } from '../store/database.ts'
import { versionedModelAt } from './model-at.ts'
import type { ModelPlace } from './tasks.ts'

type RejectedCall = { problems: Problem[] }

/** A zip of the manifest as a CDM folder, or all problems if there is an error. */
export async function cdmZip(
  store: Store,
  place: ModelPlace,
): Promise<{ fileName: string; zip: Uint8Array; notes: number } | RejectedCall> {
  const folder = await folderOf(store, place)
  if ('problems' in folder) return folder
  const zip = writeArchive(folder.files)
  return { fileName: `${fileStem(folder.name, 'manifest')}-cdm.zip`, zip, notes: folder.notes.length }
}

/** Properties that the CDM folder cannot express, one line each. */
export async function cdmNotes(
  store: Store,
  place: ModelPlace,
): Promise<{ script: string; notes: number } | RejectedCall> {
  const folder = await folderOf(store, place)
  if ('problems' in folder) return folder
  const lines = folder.notes.map(({ path, message }) => `${path}: ${message}`)
  return { script: lines.join('\n'), notes: lines.length }
}

async function folderOf(store: Store, place: ModelPlace): Promise<(CdmFolderText & { name: string }) | RejectedCall> {
  const { root, source, configuration, versions, configured, earlier } = await versionedModelAt(store, place)
  const resolvedModel = resolveModel(root, source)
  const problems = validate(resolvedModel, { target: 'CDM_SCHEMA', configuration, databaseTypes: [] })
  if (firstError(problems) !== undefined) return { problems }
  return { ...writeCdm(resolvedModel, { versions, configured, earlier }), name: root.name }
}
