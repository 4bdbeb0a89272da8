import type { Problem } from '../problem.ts'
import { error, type Subject } from './subject.ts'
import { texts } from './texts.ts'

/** Entities of the same name share a table. Allowed only if one extends the other. */
export function nameConflicts(subject: Subject): Problem[] {
  return subject.nameConflicts.unrelated.map(([first, second]) =>
    error('namesakes', texts.nameConflicts(second.name, first.path, second.path), subject.pathOf(second)),
  )
}
