import type { ResolvedModel } from '../resolved-model.ts'
import type { Problem } from '../problem.ts'
import { Subject, type Check, type EntityCheck, type ValidationOptions } from '../validation/subject.ts'

// For tests only.

/** Findings of a check: severity, code, message and the names along the path. */
export function findings(check: Check, resolvedModel: ResolvedModel, options: ValidationOptions = {}): string[][] {
  return check(new Subject(resolvedModel, options)).map(finding)
}

/** Findings of a check of single entities, run on each with columns. */
export function entityFindings(
  check: EntityCheck,
  resolvedModel: ResolvedModel,
  options: ValidationOptions = {},
): string[][] {
  const subject = new Subject(resolvedModel, options)
  return subject.declaring.flatMap(entity => check(entity, subject)).map(finding)
}

function finding({ severity, code, message, path }: Problem): string[] {
  return [severity, code, message, path.map(step => step.name).join('/')]
}
