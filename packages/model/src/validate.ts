import type { Closure } from './closure.ts'
import type { Problem } from './problem.ts'
import { aggregateQueries } from './validation/aggregate-queries.ts'
import { choiceTypes } from './validation/choices.ts'
import { defaultValues } from './validation/default-values.ts'
import { excludedOperations } from './validation/excluded-operations.ts'
import { extendsCycle } from './validation/extends-cycle.ts'
import { identifiers } from './validation/identifiers.ts'
import { keyTypes, missingKeys } from './validation/keys.ts'
import { names } from './validation/names.ts'
import { namesakes } from './validation/namesakes.ts'
import { noEntity } from './validation/no-entity.ts'
import { parentGone } from './validation/parent-gone.ts'
import { relationships } from './validation/relationships.ts'
import { repeatedAttributes } from './validation/repeated-attributes.ts'
import { scopes } from './validation/scopes.ts'
import { setNullRequired } from './validation/set-null.ts'
import { subManifestCycle } from './validation/sub-manifest-cycle.ts'
import { Subject, type Check, type ValidationOptions } from './validation/subject.ts'
import { targetUnique } from './validation/target-unique.ts'
import { uniqueObjects } from './validation/unique-objects.ts'

/** All problems of a manifest with its sub-manifests, errors first; an empty list where there is none. */
export function validate(closure: Closure, options: ValidationOptions = {}): Problem[] {
  const subject = new Subject(closure, options)
  const problems = checks.flatMap(check => check(subject))
  const isError = (problem: Problem) => problem.severity === 'error'
  return [...problems.filter(isError), ...problems.filter(problem => !isError(problem))]
}

/** The first error: what an answer gives as its message. Undefined where the manifest may be exported. */
export function firstError(problems: readonly Problem[]): Problem | undefined {
  return problems.find(problem => problem.severity === 'error')
}

const checks: readonly Check[] = [
  noEntity,
  subManifestCycle,
  extendsCycle,
  namesakes,
  repeatedAttributes,
  keyTypes,
  relationships,
  aggregateQueries,
  excludedOperations,
  scopes,
  parentGone,
  targetUnique,
  setNullRequired,
  uniqueObjects,
  choiceTypes,
  defaultValues,
  missingKeys,
  names,
  identifiers,
]
