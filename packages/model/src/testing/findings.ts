import type { Closure } from '../closure.ts'
import { Subject, type Check, type ValidationOptions } from '../validation/subject.ts'

// For tests only.

/** What one check finds: severity, code, message and the names that its path leads through. */
export function findings(check: Check, closure: Closure, options: ValidationOptions = {}): string[][] {
  return check(new Subject(closure, options)).map(({ severity, code, message, path }) => [
    severity,
    code,
    message,
    path.map(step => step.name).join('/'),
  ])
}
