import { createHash } from 'node:crypto'
import type { Configuration } from '@cadmus/model/configuration'
import { columnsByEntity, withNewNames } from '@cadmus/model/configuration-names'
import type { FixAnswer, ProblemsAnswer } from '@cadmus/model/contract/problems'
import type { EntityNode } from '@cadmus/model/entity'
import { findFixes } from '@cadmus/model/fixes/find-fixes'
import { resolvedAttributes } from '@cadmus/model/inherit'
import { limits } from '@cadmus/model/limits'
import { foldName } from '@cadmus/model/paths'
import { entityIn, type Problem } from '@cadmus/model/problem'
import { type ResolvedModel, resolveModel } from '@cadmus/model/resolved-model'
import { problemField } from '@cadmus/model/problem-field'
import { namingRules } from '@cadmus/sql/databases'
import { referencesIn } from '../store/open-reference.ts'
import type { Store } from '../store/store.ts'
import { type CachedModel, inOneMoment, modelAtMoment, momentOf } from './model-at.ts'
import { problemItem } from './problem-writer.ts'
import type { FixesInput, ProblemsInput, UnsavedPlace } from './tasks.ts'
import { withConfigurationEdits, withEntityEdits } from './unsaved-edits.ts'

/** Problems of the current state with unsaved edits. Throws 404 if the manifest does not exist, 400 if there are too many edits. */
export async function problemsOf(store: Store, input: ProblemsInput, cached: CachedModel): Promise<ProblemsAnswer> {
  const { model, configuration } = await unsavedModel(store, input, cached)
  const databases = namingRules(input.databaseTypes)
  const problems = cached.validator(model, { configuration, databases })
  const counts = countsOf(problems)
  const { list } = input
  const listed = list && (list.entity === null ? problems : problems.filter(one => entityOf(one) === list.entity))
  const shown = listed && listed.slice(0, limits.listedProblems).map(liveProblem)
  const more = listed && shown ? listed.length - shown.length : 0
  const tag = createHash('sha256')
    .update(JSON.stringify([counts, shown, more]))
    .digest('base64url')
    .slice(0, 22)
  return tag === input.known ? { tag, counts: null, problems: null, more } : { tag, counts, problems: shown, more }
}

/** Repairs of problems of that state. */
export async function fixesOf(store: Store, input: FixesInput, cached: CachedModel): Promise<{ fixes: FixAnswer[] }> {
  const { model, configuration } = await unsavedModel(store, input, cached)
  const { code, place } = input
  const databases = namingRules(input.databaseTypes)
  return { fixes: findFixes({ model, configuration, databases, validator: cached.validator, code, place }) }
}

function liveProblem(problem: Problem) {
  const field = problemField(problem)
  const { value } = problem
  return {
    ...problemItem(problem),
    ...(field === undefined ? {} : { field }),
    ...(value === undefined ? {} : { value }),
  }
}

function entityOf({ path }: Problem): number | undefined {
  return entityIn(path)?.id
}

function countsOf(problems: readonly Problem[]): NonNullable<ProblemsAnswer['counts']> {
  const all = { errors: 0, warnings: 0 }
  const byEntity = new Map<number, { errors: number; warnings: number }>()
  for (const problem of problems) {
    const name = problem.severity === 'error' ? 'errors' : 'warnings'
    all[name] += 1
    const id = entityOf(problem)
    if (id === undefined) continue
    const own = byEntity.get(id) ?? { errors: 0, warnings: 0 }
    own[name] += 1
    byEntity.set(id, own)
  }
  const counts = [...byEntity.values()]
  return {
    ...all,
    entities: {
      ids: [...byEntity.keys()],
      errors: counts.map(({ errors }) => errors),
      warnings: counts.map(({ warnings }) => warnings),
    },
  }
}

type UnsavedModel = { model: ResolvedModel; configuration: Configuration | undefined }

/** Unedited entities are the same objects as in the last call, so that only what edits concern is validated again. */
async function unsavedModel(store: Store, place: UnsavedPlace, cached: CachedModel): Promise<UnsavedModel> {
  const { organisationId, edits } = place
  return inOneMoment(store, organisationId, async tx => {
    const at = { organisationId, manifestId: place.manifestId, version: null }
    const stored = await modelAtMoment(tx, at, await momentOf(tx, at), cached.reader)
    const { root, source } = stored
    const edited = withEntityEdits(source.entities, edits.entities, cached.edited)
    const targets = edits.entities.flatMap(({ id }) => edited.get(id) ?? []).flatMap(referencesIn)
    const missing = targets.map(({ id }) => id).filter(id => !edited.has(id))
    const laid = { root, source: { ...source, entities: edited } }
    const { manifests, entities } =
      missing.length === 0 ? laid.source : (await cached.reader.extended(tx, organisationId, laid, missing)).source
    const model = resolveModel(root, { manifests, entities: cached.names(entities) })
    const configuration = withConfigurationEdits(stored.configuration, root.name, edits.configuration)
    return { model, configuration: configuration && withUnsavedNames(configuration, source.entities, model) }
  })
}

/** The configuration with the names that unsaved edits give to entities and columns, as saving them would. */
function withUnsavedNames(
  configuration: Configuration,
  before: ReadonlyMap<number, EntityNode>,
  { entities, byId }: ResolvedModel,
): Configuration {
  const changed = entities.filter(entity => before.get(entity.id) !== entity)
  const named = columnsByEntity(configuration)
  if (changed.length === 0 || named.size === 0) return configuration
  const formerly = new Map(
    changed.flatMap(now => {
      const was = before.get(now.id)
      return was && named.has(foldName(was.name)) ? [[foldName(was.name), { was, now }] as const] : []
    }),
  )
  return withNewNames(configuration, {
    entity: name => formerly.get(foldName(name))?.now.name,
    column: (name, column) => {
      const { was, now } = formerly.get(foldName(name)) ?? {}
      if (!was || !now) return undefined
      const old = resolvedAttributes(was, id => before.get(id)).find(one => foldName(one.name) === foldName(column))
      return old && resolvedAttributes(now, id => byId.get(id)).find(one => uidOf(one) === uidOf(old))?.name
    },
  })
}

function uidOf(column: ReturnType<typeof resolvedAttributes>[number]): string {
  return column.kind === 'type' ? column.attribute.uid : column.relationship.uid
}
