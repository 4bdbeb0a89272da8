import { workerData } from 'node:worker_threads'
import { getEntityLog, getManifestLog } from '@cadmus/model/contract/audit'
import {
  compareConsequences,
  compareMigration,
  compareDiagram,
  compareDiagramRows,
  compareManifest,
  compareManifestEntity,
} from '@cadmus/model/contract/comparison'
import { getDiagramRows, getEntityDiagram, getManifestDiagram } from '@cadmus/model/contract/diagram'
import {
  getEntity,
  getEntityVersionContent,
  listEntityLogs,
  listEntityVersions,
  updateRelationship,
} from '@cadmus/model/contract/entity'
import { getEntityImpact } from '@cadmus/model/contract/impact'
import {
  getManifest,
  getManifestConfiguration,
  getManifestPaths,
  getManifestVersionContent,
  listManifestLogs,
  listManifestVersions,
} from '@cadmus/model/contract/manifest'
import { getBuildSettings } from '@cadmus/model/contract/package'
import { findFixes, findProblems } from '@cadmus/model/contract/problems'
import { getScopeMatrix } from '@cadmus/model/contract/scope-matrix'
import { readEntityContents } from '@cadmus/model/contract/contents'
import { resolveModel } from '@cadmus/model/resolved-model'
import { namingRules } from '@cadmus/sql/databases'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import type * as z from 'zod'
import { shownSettings } from '../commands/package/build-settings.ts'
import { encodeError } from '../errors/thread-errors.ts'
import { listAudit } from '../store/audit-read.ts'
import { openStore, type Store } from '../store/store.ts'
import { configurationOf, withMarkedSecrets } from '../store/manifest-configuration.ts'
import { findUnreferencedContents } from '../store/find-unreferenced.ts'
import { lowerThreadPriority } from './thread-priority.ts'
import {
  auditEntryAnswer,
  entityAnswer,
  entityVersionsAnswer,
  manifestAnswer,
  manifestVersionsAnswer,
  pathsOf,
  relationshipIn,
  versionContent,
} from './answers.ts'
import { consequencesOf } from './comparison/consequences.ts'
import { migrationOf } from './comparison/migration.ts'
import { comparedDiagram, comparedRows } from './comparison/diagram.ts'
import { comparisonOf, contentsOf } from './comparison/differences.ts'
import { readSides } from './comparison/sides.ts'
import { diagramAnswer, diagramRows as rowsAnswer, neighbourhoodAnswer } from './diagram.ts'
import { exportModel } from './export.ts'
import { entityContents as contentsAnswer } from './entity-contents.ts'
import { statesOfEntities } from './entity-states.ts'
import { fixesOf, problemsOf } from './live-problems.ts'
import { entityImpact } from './impact.ts'
import { CachedModel, manifestAt, modelAt } from './model-at.ts'
import { ModelCache } from './model-cache.ts'
import { nameConflictSteps } from './name-conflicts.ts'
import {
  buildZip,
  deliverZip,
  findBreaks,
  findRebuildChanges,
  validatePackage,
  zipForPreview,
} from './package-build.ts'
import { othersWith, scopeMatrix as scopeMatrixOf } from './scope-matrix.ts'
import type { Tasks, WorkerSettings } from './tasks.ts'

/** Transferred to the other thread as bytes. */
type Transfer = ReturnType<typeof move>
type Task<K extends keyof Tasks> = (input: Tasks[K]['input']) => Promise<Tasks[K]['output'] | Transfer>

let opened: Store | undefined
const modelCache = new ModelCache(() => new CachedModel(), { size: 24_000_000, idle: 600_000, heapShare: 0.6 })
setInterval(() => modelCache.dropIdle(), 60_000).unref()
const settings: WorkerSettings = workerData
if (settings.givesWay) lowerThreadPriority()

export const validate = task<'validate'>(async ({ target, databaseTypes, encoding, ...place }) =>
  modelCache.with(place, async ({ reader, validator, schemaNotes, answers }) => {
    const { root, source, configuration } = await modelAt(store(), { ...place, version: null }, reader)
    const resolvedModel = resolveModel(root, source)
    const problems = validator(resolvedModel, { target, configuration, databases: namingRules(databaseTypes) })
    const applyAutoIncrement = configuration?.configurationBuild.sqlConfiguration.applyAutoIncrement ?? true
    const isOfDatabase = databaseTypes.length > 0
    const notes = isOfDatabase ? schemaNotes(resolvedModel, databaseTypes, { applyAutoIncrement }, problems) : []
    return move(answers.write([...problems, ...notes], encoding))
  }),
)

export const entityContents = task<'entityContents'>(async input =>
  modelCache.with(input, async ({ reader }) =>
    serializeAnswer(readEntityContents, await contentsAnswer(store(), input, reader)),
  ),
)

export const entityStates = task<'entityStates'>(async input => statesOfEntities(store(), input))

export const problems = task<'problems'>(async input =>
  modelCache.with(input, async cached => serializeAnswer(findProblems, await problemsOf(store(), input, cached))),
)

export const fixes = task<'fixes'>(async input =>
  modelCache.with(input, async cached => serializeAnswer(findFixes, await fixesOf(store(), input, cached))),
)

/** Starts the thread and connects to the store. */
export async function ready(): Promise<void> {
  await store().check()
}

/** Drops the cache of a deleted manifest. */
export function forget(place: { organisationId: number; manifestId: number }): void {
  modelCache.forget(place)
}

export const exportManifest = task<'exportManifest'>(async input => exportModel(store(), input))

export const checkPackage = task<'checkPackage'>(async input => validatePackage(store(), input))

export const buildPackage = task<'buildPackage'>(async input => buildZip(store(), input))

export const packageZip = task<'packageZip'>(async input => move(await deliverZip(store(), input)))

export const packageBreaks = task<'packageBreaks'>(async input => findBreaks(store(), input))

export const checkRebuild = task<'checkRebuild'>(async input => findRebuildChanges(store(), input))

export const previewZip = task<'previewZip'>(async input => {
  const result = await zipForPreview(store(), input)
  return result instanceof Uint8Array ? move(result) : result
})

export const nameConflicts = task<'nameConflicts'>(async input => nameConflictSteps(store(), input))

export const manifestPaths = task<'manifestPaths'>(async place =>
  serializeAnswer(getManifestPaths, await pathsOf(store(), place)),
)

export const scopeMatrix = task<'scopeMatrix'>(async place => {
  const model = await modelCache.with(place, async ({ reader }) => modelAt(store(), place, reader))
  const version = place.version ?? (await manifestAt(store().of(place.organisationId), place)).row.latest_version
  const { organisationId } = place
  // An old version cannot be changed.
  const others =
    place.version === null ? await othersWith(store().of(organisationId), organisationId, model) : undefined
  return serializeAnswer(getScopeMatrix, await scopeMatrixOf(model, version, others))
})

export const entity = task<'entity'>(async ({ organisationId, id, relationship, ...shown }) => {
  const { entity: result, hash } = await entityAnswer({ store: store(), organisationId }, id, shown)
  if (relationship === undefined)
    return transferOf<'entity'>({ json: serializeAnswer(getEntity, { entity: result }), hash })
  const entityAttribute = relationshipIn(result, relationship)
  return transferOf<'entity'>({ json: serializeAnswer(updateRelationship, { entityAttribute, entity: result }), hash })
})

export const entityContent = task<'entityContent'>(async ({ organisationId, id, version }) => {
  const shown = { version, withResolved: false, withKey: false }
  const { entity: result } = await entityAnswer({ store: store(), organisationId }, id, shown)
  return serializeAnswer(getEntityVersionContent, { entity: { CONTENT: result.content } })
})

export const entityVersions = task<'entityVersions'>(async ({ organisationId, id }) =>
  serializeAnswer(listEntityVersions, await entityVersionsAnswer(store().of(organisationId), organisationId, id)),
)

export const manifestVersions = task<'manifestVersions'>(async ({ organisationId, manifestId }) => {
  const db = store().of(organisationId)
  const { row } = await manifestAt(db, { organisationId, manifestId, version: null })
  return serializeAnswer(listManifestVersions, await manifestVersionsAnswer(db, organisationId, row))
})

export const manifestContent = task<'manifestContent'>(async place => {
  const db = store().of(place.organisationId)
  const { row, frozen } = await manifestAt(db, place)
  const content = await versionContent(db, place.organisationId, row, frozen)
  return serializeAnswer(getManifestVersionContent, { manifest: { CONTENT: content } })
})

export const manifest = task<'manifest'>(async place => {
  const { organisationId } = place
  const { row, frozen } = await manifestAt(store().of(organisationId), place)
  const { manifest: result, etag } = await manifestAnswer({ store: store(), organisationId }, row, frozen)
  return transferOf<'manifest'>({ json: serializeAnswer(getManifest, { manifest: result }), etag })
})

export const diagram = task<'diagram'>(async place =>
  serializeAnswer(getManifestDiagram, await diagramAnswer(store(), place)),
)

export const diagramRows = task<'diagramRows'>(async place =>
  serializeAnswer(getDiagramRows, await rowsAnswer(store(), place)),
)

export const neighbourhood = task<'neighbourhood'>(async place =>
  serializeAnswer(getEntityDiagram, await neighbourhoodAnswer(store(), place)),
)

export const comparison = task<'comparison'>(async ({ part, ...place }) => {
  // One comparison is usually read in several parts.
  const isScript = place.before.kind === 'script'
  const sides = isScript
    ? await readSides(store(), place)
    : await modelCache.with(place, async ({ reader }) => readSides(store(), place, reader))
  switch (part.kind) {
    case 'list':
      return serializeAnswer(compareManifest, comparisonOf(sides))
    case 'entity':
      return serializeAnswer(compareManifestEntity, contentsOf(sides, part.uid))
    case 'consequences':
      return serializeAnswer(compareConsequences, consequencesOf(sides, part.database))
    case 'migration':
      return serializeAnswer(compareMigration, migrationOf(sides, { ...part, isScript }))
    case 'diagram':
      return serializeAnswer(compareDiagram, comparedDiagram(sides))
    case 'rows':
      return serializeAnswer(compareDiagramRows, comparedRows(sides, part.uids))
  }
})

export const impact = task<'impact'>(async place =>
  serializeAnswer(getEntityImpact, await entityImpact(store(), place)),
)

export const configuration = task<'configuration'>(async ({ organisationId, manifestId, stored }) => {
  const db = store().of(organisationId)
  const { row } = await manifestAt(db, { organisationId, manifestId, version: null })
  const { configuration: result, hash } = await configurationOf(db, { ...row, configuration_hash: stored })
  const manifestProperties = withMarkedSecrets(result)
  return transferOf<'configuration'>({ json: serializeAnswer(getManifestConfiguration, { manifestProperties }), hash })
})

export const buildSettings = task<'buildSettings'>(async ({ licence, ...place }) => {
  const { organisationId } = place
  const db = store().of(organisationId)
  const { row: manifest, frozen } = await manifestAt(db, place)
  const manifestProperties = await shownSettings(db, { organisationId, manifest, frozen }, licence)
  return serializeAnswer({ answer: getBuildSettings.answer.pick({ manifestProperties: true }) }, { manifestProperties })
})

export const logs = task<'logs'>(async ({ organisationId, kind, query }) => {
  const { entries, total: totalElements } = await listAudit(store().of(organisationId), organisationId, kind, query)
  if (kind === 'ENTITY') return serializeAnswer(listEntityLogs, { entityLogs: entries, totalElements })
  return serializeAnswer(listManifestLogs, { manifestLogs: entries, totalElements })
})

export const log = task<'log'>(async place => {
  const { entry, target, differences } = await auditEntryAnswer(store().of(place.organisationId), place)
  if (place.kind === 'ENTITY') return serializeAnswer(getEntityLog, { entityLog: entry, target, differences })
  return serializeAnswer(getManifestLog, { manifestLog: entry, target, differences })
})

/** Serialises an answer after validating it, as the sending thread would. */
function serializeAnswer<A extends z.ZodType>({ answer }: { answer: A }, value: z.input<A>): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(answer.parse(value)))
}

/** Transfers the bytes of an answer to the other thread; the rest is copied. */
function transferOf<K extends 'entity' | 'manifest' | 'configuration'>(output: Tasks[K]['output']): Transfer {
  return move({
    get [transferableSymbol]() {
      return output.json.buffer
    },
    get [valueSymbol]() {
      return output
    },
  })
}

/** Preserves store errors across the thread boundary. */
function task<K extends keyof Tasks>(work: Task<K>): Task<K> {
  return input =>
    work(input).catch((error: unknown) => {
      throw encodeError(error)
    })
}

export const unreferencedContents: Task<'unreferencedContents'> = async ({ organisationId }) =>
  findUnreferencedContents(store().of(organisationId), organisationId)

function store(): Store {
  opened ??= openStore(settings.store, { readOnly: true, poolSize: 2 })
  return opened
}
