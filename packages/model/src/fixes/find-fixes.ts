import { type Configuration, newConfiguration } from '../configuration.ts'
import { type ConfigurationEdit, configurationEditsBetween } from '../edits/configuration-edits.ts'
import { type EntityEdit, entityEditsBetween } from '../edits/entity-edits.ts'
import { ancestorsOf } from '../inherit.ts'
import { limits } from '../limits.ts'
import { fixTexts } from '../messages/fixes.ts'
import type { Problem } from '../problem.ts'
import type { ResolvedModel } from '../resolved-model.ts'
import type { Validator } from '../validate.ts'
import type { NamingRules } from '../validation/subject.ts'
import type { Fix } from './fix.ts'
import { isFixable } from './fixable.ts'
import { fixedProblem, type FixedProblem, FixState } from './fix-state.ts'
import { fixesByCode } from './registry.ts'

export type FoundFix = {
  kind: Fix['kind']
  label: string
  /** Problems that it solves, and those left because it would change too many entities. */
  count: number
  left: number
  entities: { id: number; name: string; path: string; edits: EntityEdit[] }[]
  configuration: ConfigurationEdit[]
}

type FixRequest = {
  model: ResolvedModel
  configuration: Configuration | undefined
  databases: readonly NamingRules[]
  validator: Validator
  code: string
  /** One problem; null: all with the code. */
  place: Omit<FixedProblem, 'code'> | null
}

/**
 * Repairs of a problem, or of all with a code, as edits of the model. Each is validated before it is offered: it solves its problems and
 * makes none.
 */
export function findFixes({ code, place, validator, ...state }: FixRequest): FoundFix[] {
  if (!isFixable(code)) return []
  const validated = (model: ResolvedModel, configuration: Configuration | undefined) =>
    validator(model, { configuration, databases: state.databases })
  const before = validated(state.model, state.configuration)
  const isRequested = ({ entity, row, value }: FixedProblem) =>
    place === null || (entity === place.entity && row === place.row && value === place.value)
  const problems = parentsFirst(
    before
      .filter(one => one.code === code)
      .map(fixedProblem)
      .filter(isRequested),
    state.model,
  )
  const [first] = problems
  if (!first) return []
  return fixesByCode[code].flatMap(fix => {
    const tried = tryFix(fix, { problems: place === null ? problems : [first], before, state, validated })
    if (!tried) return []
    const { detail, ...edits } = tried
    const label = place === null ? fixTexts.all(fix.kind, edits.count) : fixTexts.one(fix.kind, detail)
    return [{ kind: fix.kind, label, ...edits }]
  })
}

type Trial = {
  problems: readonly FixedProblem[]
  before: readonly Problem[]
  state: Pick<FixRequest, 'model' | 'configuration' | 'databases'>
  validated: (model: ResolvedModel, configuration: Configuration | undefined) => Problem[]
}

type Tried = Omit<FoundFix, 'kind' | 'label'> & { detail: string }

/** Where the repair of many makes a new problem, its entities are left out. */
function tryFix(fix: Fix, trial: Trial, leftOut: ReadonlySet<number | null> = new Set()): Tried | undefined {
  const state = new FixState(trial.state)
  const requested = trial.problems.filter(({ entity }) => !leftOut.has(entity))
  let detail: string | undefined
  let applied = 0
  for (const problem of requested.slice(0, limits.fixedProblems)) {
    const isOther = problem.entity !== null && !state.changed.has(problem.entity)
    if (isOther && state.changed.size >= limits.fixedEntities) continue
    const result = fix.apply(problem, state)
    if (result === undefined) continue
    applied += 1
    detail ??= result
  }
  if (detail === undefined || applied === 0) return undefined
  const after = trial.validated(state.result(), state.configuration)
  const made = differing(after, trial.before)
  if (made.length > 0) {
    const causes = new Set(made.map(problem => fixedProblem(problem).entity))
    const isSmaller = requested.some(({ entity }) => causes.has(entity) && !leftOut.has(entity))
    return trial.problems.length > 1 && leftOut.size === 0 && isSmaller ? tryFix(fix, trial, causes) : undefined
  }
  const open = new Set(after.map(keyOf))
  const count = trial.problems.filter(problem => !open.has(keyOfFixed(problem))).length
  if (count === 0) return undefined
  return { detail, count, left: trial.problems.length - count, ...editsOf(state, trial.state.configuration) }
}

function editsOf(state: FixState, before: Configuration | undefined): Pick<FoundFix, 'entities' | 'configuration'> {
  const entities = Array.from(state.changed.values(), after => {
    const original = state.model.byId.get(after.id) ?? after
    return { id: after.id, name: original.name, path: original.path, edits: entityEditsBetween(original, after) }
  })
  const { configuration } = state
  const base = before ?? newConfiguration(state.model.root.name)
  return {
    entities: entities.filter(({ edits }) => edits.length > 0),
    configuration: configuration ? configurationEditsBetween(base, configuration) : [],
  }
}

/** Problems among `now` that are not among `earlier`, or fewer times. */
function differing(now: readonly Problem[], earlier: readonly Problem[]): Problem[] {
  const counts = new Map<string, number>()
  for (const problem of earlier) counts.set(keyOf(problem), (counts.get(keyOf(problem)) ?? 0) + 1)
  return now.filter(problem => {
    const left = counts.get(keyOf(problem)) ?? 0
    counts.set(keyOf(problem), left - 1)
    return left <= 0
  })
}

function keyOf(problem: Problem): string {
  return keyOfFixed(fixedProblem(problem))
}

function keyOfFixed({ code, entity, row, value }: FixedProblem): string {
  return JSON.stringify([code, entity, row, value])
}

/** Subtypes inherit what their ancestors get. */
function parentsFirst(problems: readonly FixedProblem[], { byId }: ResolvedModel): FixedProblem[] {
  const depths = new Map<number | null, number>()
  for (const { entity } of problems) {
    const node = entity === null ? undefined : byId.get(entity)
    if (node && !depths.has(entity)) depths.set(entity, ancestorsOf(node, id => byId.get(id)).length)
  }
  const depthOf = ({ entity }: FixedProblem) => depths.get(entity) ?? 0
  return problems.toSorted((a, b) => depthOf(a) - depthOf(b))
}
