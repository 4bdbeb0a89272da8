import type { Problem } from '../problem.ts'
import { error, type Subject } from './subject.ts'
import { texts } from './texts.ts'

/** Entities of one name are one table: fine where one extends the other, impossible where they are unrelated. */
export function namesakes(subject: Subject): Problem[] {
  return subject.namesakes.unrelated.map(([first, second]) =>
    error('namesakes', texts.namesakes(second.name, first.path, second.path), subject.pathOf(second)),
  )
}
