import { workerData } from 'node:worker_threads'
import { closureOf } from '@cadmus/model/closure'
import { firstError, validate as problemsOf } from '@cadmus/model/validate'
import { writeArchive } from '@cadmus/formats/archive'
import { fileStem } from '@cadmus/formats/file-stem'
import { schemaNotes } from '@cadmus/sql/schema-notes'
import { databaseScript } from '@cadmus/sql/script'
import { toCarry } from '../errors/carried.ts'
import { openStore, type Store } from '../store/database.ts'
import { orphanContents as contentsWithoutUse } from '../store/orphan-content.ts'
import { workInBackground } from './background.ts'
import { modelAt } from './model-at.ts'
import { relationshipsOf } from './relationships.ts'
import type { Tasks, WorkerSettings } from './tasks.ts'

type Task<K extends keyof Tasks> = (input: Tasks[K]['input']) => Promise<Tasks[K]['output']>

let opened: Store | undefined
workInBackground()

export const validate = task<'validate'>(async input => {
  const { root, source, configuration } = await modelAt(store(), input)
  const closure = closureOf(root, source)
  const { databaseTypes } = input
  const problems = problemsOf(closure, { configuration, databaseTypes })
  const applyAutoIncrement = configuration?.configurationBuild.sqlConfiguration.applyAutoIncrement ?? true
  return [...problems, ...schemaNotes(closure, databaseTypes, { applyAutoIncrement }, problems)]
})

export const exportScript = task<'exportScript'>(async input => {
  const { root, source, configuration } = await modelAt(store(), input)
  const closure = closureOf(root, source)
  const problems = problemsOf(closure, { configuration, databaseTypes: [input.databaseType] })
  if (firstError(problems) !== undefined) return { problems }
  const { sql, notes } = databaseScript(closure, input.databaseType, { applyAutoIncrement: input.applyAutoIncrement })
  const stem = fileStem(root.name, 'manifest')
  const zip = writeArchive(new Map([[`${stem}.sql`, sql]]))
  return { fileName: `${stem}-${input.databaseType}.zip`, zip, notes: notes.length }
})

export const relationships = task<'relationships'>(async input => {
  const { root, source } = await modelAt(store(), input)
  const members = root.entities.flatMap(({ id }) => source.entities.get(id) ?? [])
  return relationshipsOf(members, id => source.entities.get(id)?.name)
})

/** What the store says of itself reaches the caller as it was said. */
function task<K extends keyof Tasks>(work: Task<K>): Task<K> {
  return input =>
    work(input).catch((error: unknown) => {
      throw toCarry(error)
    })
}

export const orphanContents: Task<'orphanContents'> = async ({ organisationId }) =>
  contentsWithoutUse(store().of(organisationId), organisationId)

function store(): Store {
  const settings: WorkerSettings = workerData
  opened ??= openStore(settings.store, { readOnly: true, poolSize: 1 })
  return opened
}
