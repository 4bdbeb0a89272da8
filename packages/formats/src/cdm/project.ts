import { bounds } from './bounds.ts'
import { renamed, tooLongName } from './guidance.ts'
import { notThere } from './not-there.ts'
import type { Attribute } from './attribute.ts'
import type { Operation, Projection } from './projection.ts'

/** An attribute on its way through a projection. A step may name it by any name that it had. */
export type Step<T> = { attribute: Attribute; names: readonly string[]; ordinal: string; of: T }

/** An attribute before its first step. */
export function stepOf<T extends { attribute: Attribute }>(of: T): Step<T> {
  return { attribute: of.attribute, names: [of.attribute.name], ordinal: '', of }
}

type Given<T> = {
  /** The attribute that holds the projection, where one does: what {a} stands for. */
  owner: string
  /** What a new attribute is made of beside its definition. */
  fresh: (attribute: Attribute, operation: Operation) => T
  /** Told how many attributes each step makes; false where that becomes too many. */
  mayGoOn: (count: number) => boolean
  warn: (message: string) => void
  /** Told what the steps name in vain, and that they leave nothing. */
  tell: (message: string) => void
}

/**
 * What a projection makes of a list of attributes. Unless it runs sequentially each step is given the source, and the results stand
 * one after the other; sequentially each is given the result of the one before.
 */
export function project<T>(source: readonly Step<T>[], projection: Projection, given: Given<T>): readonly Step<T>[] {
  let result: readonly Step<T>[] | undefined
  for (const operation of projection.operations) {
    const onSource = operation.onSource ?? !projection.sequential
    if (result === undefined || onSource) result = [...(result ?? []), ...run(source, operation, given)]
    else result = run(result, operation, given)
    if (!given.mayGoOn(result.length + 1)) break
  }
  if (result?.length === 0 && source.length > 0) given.tell('Its operations leave no attribute.')
  return result ?? source
}

/** The operation of each kind that asks for attributes by their names; what leaves out is done where there is none to leave out. */
const asking: Partial<Record<Operation['kind'], string>> = {
  include: 'includeAttributes',
  rename: 'renameAttributes',
  combine: 'combineAttributes',
  replace: 'replaceAsForeignKey',
}

function tellMissing(steps: readonly Step<unknown>[], operation: Operation, given: Given<unknown>): void {
  const kind = asking[operation.kind]
  if (kind === undefined) return
  const names = 'names' in operation ? operation.names : 'reference' in operation ? [operation.reference] : undefined
  if (names === undefined) return
  const there = new Set(steps.flatMap(step => (operation.kind === 'combine' ? step.attribute.name : step.names)))
  const message = notThere(
    kind,
    [...names].filter(name => !there.has(name)),
  )
  if (message !== undefined) given.tell(message)
}

function run<T>(steps: readonly Step<T>[], operation: Operation, given: Given<T>): readonly Step<T>[] {
  tellMissing(steps, operation, given)
  switch (operation.kind) {
    case 'keep':
      return steps
    case 'exclude':
      return steps.filter(step => !isNamed(step, operation.names))
    case 'include':
      return included(steps, operation.names)
    case 'rename':
      return renamedSteps(steps, operation, given)
    case 'expand':
      return expanded(steps, operation, given)
    case 'combine':
      return combined(steps, operation, given)
    case 'replace': {
      const replaced = steps.filter(step => isNamed(step, new Set([operation.reference])))
      const names = replaced.flatMap(step => step.names)
      return replaced.length === 0 ? [] : [added(operation.by, operation, given, names)]
    }
    case 'add': {
      const step = added(operation.attribute, operation, given, [])
      return operation.first ? [step, ...steps] : [...steps, step]
    }
  }
}

/** In the order of the names, not of the attributes. */
function included<T>(steps: readonly Step<T>[], names: ReadonlySet<string>): Step<T>[] {
  const byName = new Map<string, Step<T>[]>()
  for (const step of steps) {
    for (const name of new Set(step.names)) {
      const known = byName.get(name)
      if (known) known.push(step)
      else byName.set(name, [step])
    }
  }
  return [...new Set([...names].flatMap(name => byName.get(name) ?? []))]
}

function renamedSteps<T>(
  steps: readonly Step<T>[],
  { format, names }: Extract<Operation, { kind: 'rename' }>,
  { owner, warn }: Given<T>,
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
  { mayGoOn }: Given<T>,
): readonly Step<T>[] {
  const first = Math.max(0, Math.floor(start))
  const last = Math.min(Math.floor(end), bounds.ordinals)
  const rounds: Step<T>[] = []
  for (let ordinal = first; ordinal <= last; ordinal++) {
    for (const step of steps) {
      if (!mayGoOn(1)) return rounds
      rounds.push({ ...step, ordinal: String(ordinal) })
    }
  }
  return rounds.length > 0 ? rounds : steps
}

function combined<T>(
  steps: readonly Step<T>[],
  operation: Extract<Operation, { kind: 'combine' }>,
  given: Given<T>,
): Step<T>[] {
  const { names } = operation
  const merged = steps.filter(step => names.has(step.attribute.name))
  const others = steps.filter(step => !names.has(step.attribute.name))
  if (merged.length === 0) return others
  const former = merged.flatMap(step => step.names)
  return [...others, added(operation.into, operation, given, former)]
}

function added<T>(attribute: Attribute, operation: Operation, given: Given<T>, names: readonly string[]): Step<T> {
  return {
    attribute,
    names: [...names.slice(0, bounds.formerNames), attribute.name],
    ordinal: '',
    of: given.fresh(attribute, operation),
  }
}

function isNamed(step: Step<unknown>, names: ReadonlySet<string>): boolean {
  return step.names.some(name => names.has(name))
}
