import type { ResolvedModel } from './resolved-model.ts'
import type { EntityNode } from './entity.ts'
import { exportFormatOf, requirementLevels, type ExportTarget, type RequirementLevel } from './export-formats.ts'
import type { Problem } from './problem.ts'
import {
  aggregateQueries,
  configurationSettings,
  entityScopes,
  excludedOperations,
  globalScopes,
  sotEntities,
} from './validation/configuration.ts'
import {
  choiceTypes,
  defaultValues,
  keyTypes,
  maxLengths,
  missingKey,
  repeatedAttributes,
  secondKey,
  uniqueObjects,
} from './validation/attributes.ts'
import { extendsCycle, nameConflicts, noEntity, parentGone, subManifestCycle } from './validation/structure.ts'
import { entityNames, identifiers, manifestNames } from './validation/names.ts'
import { ValidationMemory } from './validation/memory.ts'
import { relationships, setNullRequired, targetUnique } from './validation/relationships.ts'
import { Subject, type Check, type EntityCheck, type ValidationOptions } from './validation/subject.ts'

export type Validator = (resolvedModel: ResolvedModel, options?: ValidationOptions) => Problem[]

/** All problems of a manifest with its sub-manifests, errors first. */
export function validate(resolvedModel: ResolvedModel, options: ValidationOptions = {}): Problem[] {
  return newValidator()(resolvedModel, options)
}

/**
 * Validates a manifest repeatedly. Caches the problems of each entity while the entity, its ancestors and its references are identical
 * objects, so that an edit rechecks only that entity, its subtypes and referring entities.
 */
export function newValidator(): Validator {
  const memory = new ValidationMemory(checks.flatMap(check => ('each' in check ? [check.each] : [])))
  return (resolvedModel, options = {}) => {
    const subject = new Subject(resolvedModel, options)
    const problemsById = memory.look(subject)
    const withProblems = (entities: readonly EntityNode[]) => entities.filter(({ id }) => problemsById.has(id))
    const [members, declaring] = [withProblems(resolvedModel.entities), withProblems(subject.declaring)]
    let index = -1
    const problems = checks.flatMap(check => {
      if ('each' in check) index += 1
      if (!requires(options.target, check.for)) return []
      if ('whole' in check) return check.whole(subject)
      const entities = check.of === 'members' ? members : declaring
      return entities.flatMap(({ id }) => problemsById.get(id)?.[index] ?? [])
    })
    const isError = (problem: Problem) => problem.severity === 'error'
    return [...problems.filter(isError), ...problems.filter(problem => !isError(problem))]
  }
}

/** The first error, which is the message of an answer. Undefined if the manifest can be exported. */
export function firstError(problems: readonly Problem[]): Problem | undefined {
  return problems.find(problem => problem.severity === 'error')
}

type Step = { for: RequirementLevel } & ({ whole: Check } | { each: EntityCheck; of: 'declaring' | 'members' })

/** Whether the purpose requires the level; without a purpose, whether any purpose does. */
function requires(target: ExportTarget | undefined, level: RequirementLevel): boolean {
  if (target === undefined || target === 'PACKAGE') return true
  return requirementLevels.indexOf(level) <= requirementLevels.indexOf(exportFormatOf(target).requires)
}

const checks: readonly Step[] = [
  { whole: noEntity, for: 'members' },
  { whole: subManifestCycle, for: 'members' },
  { whole: extendsCycle, for: 'members' },
  { whole: nameConflicts, for: 'names' },
  { each: repeatedAttributes, of: 'declaring', for: 'names' },
  { each: keyTypes, of: 'declaring', for: 'tables' },
  { each: relationships, of: 'declaring', for: 'tables' },
  { whole: aggregateQueries, for: 'api' },
  { whole: excludedOperations, for: 'api' },
  { whole: sotEntities, for: 'api' },
  { whole: globalScopes, for: 'api' },
  { whole: entityScopes, for: 'api' },
  { whole: configurationSettings, for: 'api' },
  { each: parentGone, of: 'declaring', for: 'members' },
  { each: targetUnique, of: 'declaring', for: 'tables' },
  { each: setNullRequired, of: 'declaring', for: 'tables' },
  { each: uniqueObjects, of: 'declaring', for: 'tables' },
  { each: choiceTypes, of: 'declaring', for: 'names' },
  { each: defaultValues, of: 'declaring', for: 'names' },
  { each: maxLengths, of: 'declaring', for: 'tables' },
  { each: missingKey, of: 'members', for: 'members' },
  { each: secondKey, of: 'declaring', for: 'members' },
  { whole: manifestNames, for: 'members' },
  { each: entityNames, of: 'declaring', for: 'members' },
  { each: identifiers, of: 'declaring', for: 'tables' },
]
