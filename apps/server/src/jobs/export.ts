import { writeArchive } from '@cadmus/formats/archive'
import { exportWriters } from '@cadmus/formats/export-writers'
import { fileStem } from '@cadmus/formats/export-writer'
import { resolveModel } from '@cadmus/model/resolved-model'
import { exportFormatOf, isOfDatabase } from '@cadmus/model/export-formats'
import { firstError, validate } from '@cadmus/model/validate'
import { namingRules } from '@cadmus/sql/databases'
import type { Store } from '../store/store.ts'
import { modelAt, versionedModelAt } from './model-at.ts'
import type { Tasks } from './tasks.ts'

/** A manifest in an export format, as a zip or as text, or all problems if there is an error. */
export async function exportModel(
  store: Store,
  { exportType: target, options, mode, ...place }: Tasks['exportManifest']['input'],
): Promise<Tasks['exportManifest']['output']> {
  const writer = exportWriters[exportFormatOf(target).id]
  const history = writer.needsHistory ? await versionedModelAt(store, place) : undefined
  const { root, source, configuration } = history ?? (await modelAt(store, place))
  const resolvedModel = resolveModel(root, source)
  const databaseTypes = isOfDatabase(target) ? [options.databaseType] : []
  const problems = validate(resolvedModel, { target, configuration, databases: namingRules(databaseTypes) })
  if (firstError(problems) !== undefined) return { problems }
  const { files, notes, suffix, preview } = writer.write(
    { resolvedModel, configuration, ...(history && { history }) },
    options,
  )
  const content = mode === 'zip' ? writeArchive(files) : new TextEncoder().encode(preview())
  return { fileName: `${fileStem(root.name, 'manifest')}-${suffix}.zip`, content, notes }
}
