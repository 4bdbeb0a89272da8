import { bounds } from './bounds.ts'
import { renamed, tooLongName } from './guidance.ts'
import { describeMissing } from './report.ts'
import type { Attribute } from './attribute.ts'
import type { Operation, Projection } from './projection.ts'

/** An attribute during a projection. Operations may refer to it by any of its names so far. */
export type Step<T> = { attribute: Attribute; names: readonly string[]; ordinal: string; of: T }

/** Wraps an attribute before the first operation. */
export function stepOf<T extends { attribute: Attribute }>(of: T): Step<T> {
  return { attribute: of.attribute, names: [of.attribute.name], ordinal: '', of }
}

type Context<T> = {
  /** Name of the attribute that contains the projection, if any; replaces {a} in formats. */
  owner: string
  /** Creates the payload of an added attribute. */
  fresh: (attribute: Attribute, operation: Operation) => T
  /** Called with the number of attributes after each operation; returns false at the limit. */
  canContinue: (count: number) => boolean
  warn: (message: string) => void
  /** Reports names that no attribute has, and projections without a result. */
  report: (message: string) => void
}

/**
 * Applies a projection to a list of attributes. By default each operation runs on the source and the results are
 * concatenated; in sequential mode each runs on the previous result.
 */
export function project<T>(
  source: readonly Step<T>[],
  projection: Projection,
  context: Context<T>,
): readonly Step<T>[] {
  let result: readonly Step<T>[] | undefined
  for (const operation of projection.operations) {
    const onSource = operation.onSource ?? !projection.sequential
    if (result === undefined || onSource) result = [...(result ?? []), ...run(source, operation, context)]
    else result = run(result, operation, context)
    if (!context.canContinue(result.length + 1)) break
  }
  if (result?.length === 0 && source.length > 0) context.report('Its operations leave no attribute.')
  return result ?? source
}

/**
 * Names of operations whose missing attributes are reported. Exclusion is not among them: excluding a missing
 * attribute has no effect.
 */
const reportedKinds: Partial<Record<Operation['kind'], string>> = {
  include: 'includeAttributes',
  rename: 'renameAttributes',
  combine: 'combineAttributes',
  replace: 'replaceAsForeignKey',
}

function reportMissing(steps: readonly Step<unknown>[], operation: Operation, context: Context<unknown>): void {
  const kind = reportedKinds[operation.kind]
  if (kind === undefined) return
  const names = 'names' in operation ? operation.names : 'reference' in operation ? [operation.reference] : undefined
  if (names === undefined) return
  const there = new Set(steps.flatMap(step => (operation.kind === 'combine' ? step.attribute.name : step.names)))
  const message = describeMissing(
    kind,
    [...names].filter(name => !there.has(name)),
  )
  if (message !== undefined) context.report(message)
}

function run<T>(steps: readonly Step<T>[], operation: Operation, context: Context<T>): readonly Step<T>[] {
  reportMissing(steps, operation, context)
  switch (operation.kind) {
    case 'keep':
      return steps
    case 'exclude':
      return steps.filter(step => !isNamed(step, operation.names))
    case 'include':
      return included(steps, operation.names)
    case 'rename':
      return renamedSteps(steps, operation, context)
    case 'expand':
      return expanded(steps, operation, context)
    case 'combine':
      return combined(steps, operation, context)
    case 'replace': {
      const replaced = steps.filter(step => isNamed(step, new Set([operation.reference])))
      const names = replaced.flatMap(step => step.names)
      return replaced.length === 0 ? [] : [added(operation.by, operation, context, names)]
    }
    case 'add': {
      const step = added(operation.attribute, operation, context, [])
      return operation.first ? [step, ...steps] : [...steps, step]
    }
  }
}

/** In the order of the names, not of the attributes. */
function included<T>(steps: readonly Step<T>[], names: ReadonlySet<string>): Step<T>[] {
  const byName = new Map<string, Step<T>[]>()
  for (const step of steps) {
    for (const name of new Set(step.names)) {
      const existing = byName.get(name)
      if (existing) existing.push(step)
      else byName.set(name, [step])
    }
  }
  return [...new Set([...names].flatMap(name => byName.get(name) ?? []))]
}

function renamedSteps<T>(
  steps: readonly Step<T>[],
  { format, names }: Extract<Operation, { kind: 'rename' }>,
  { owner, warn }: Context<T>,
): Step<T>[] {
  return steps.map(step => {
    if (names && !isNamed(step, names)) return step
    const original = step.names[0] ?? step.attribute.name
    const name = renamed(format, owner, step.ordinal, step.attribute.name, original)
    if (name === undefined) warn(tooLongName(format, step.attribute.name))
    if (name === undefined) return step
    return {
      ...step,
      attribute: { ...step.attribute, name },
      names: [...step.names.slice(0, bounds.formerNames), name],
    }
  })
}

function expanded<T>(
  steps: readonly Step<T>[],
  { start, end }: Extract<Operation, { kind: 'expand' }>,
  { canContinue }: Context<T>,
): readonly Step<T>[] {
  const first = Math.max(0, Math.floor(start))
  const last = Math.min(Math.floor(end), bounds.ordinals)
  const rounds: Step<T>[] = []
  for (let ordinal = first; ordinal <= last; ordinal++) {
    for (const step of steps) {
      if (!canContinue(1)) return rounds
      rounds.push({ ...step, ordinal: String(ordinal) })
    }
  }
  return rounds.length > 0 ? rounds : steps
}

function combined<T>(
  steps: readonly Step<T>[],
  operation: Extract<Operation, { kind: 'combine' }>,
  context: Context<T>,
): Step<T>[] {
  const { names } = operation
  const merged = steps.filter(step => names.has(step.attribute.name))
  const others = steps.filter(step => !names.has(step.attribute.name))
  if (merged.length === 0) return others
  const former = merged.flatMap(step => step.names)
  return [...others, added(operation.into, operation, context, former)]
}

function added<T>(attribute: Attribute, operation: Operation, context: Context<T>, names: readonly string[]): Step<T> {
  return {
    attribute,
    names: [...names.slice(0, bounds.formerNames), attribute.name],
    ordinal: '',
    of: context.fresh(attribute, operation),
  }
}

function isNamed(step: Step<unknown>, names: ReadonlySet<string>): boolean {
  return step.names.some(name => names.has(name))
}
