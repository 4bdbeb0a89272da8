import { ImportError } from '../import-error.ts'
import { bounds } from './bounds.ts'
import type { Context, Task } from './task.ts'

/** How much work a folder and each of its entities have made so far: groups in groups, and entities that take each other in, could multiply without end. */
export class Effort {
  #steps = 0
  #targets = 0

  /** Whether so many attributes more may be looked at. Says once what is left out; throws an ImportError where the folder has too many. */
  mayGoOn({ effort }: Task, { place }: Context, count = 1): boolean {
    const before = effort.steps
    this.#steps += count
    effort.steps += count
    const { attributesInAll, attributesPerEntity } = bounds
    if (this.#steps > attributesInAll)
      throw new ImportError('too-large', `The entities of this folder have more than ${attributesInAll} attributes.`)
    if (before < attributesPerEntity && effort.steps >= attributesPerEntity) {
      place.error(`It has more than ${attributesPerEntity} attributes; the others were left out.`)
    }
    return effort.steps < attributesPerEntity
  }

  /** The same of the targets of references: many references, each to one of many, make so many. */
  mayTake(count: number, { effort }: Task, { place }: Context): boolean {
    this.#targets += count
    effort.targets += count
    const { targetsInAll, targetsPerEntity } = bounds
    if (this.#targets > targetsInAll)
      throw new ImportError('too-large', `The references of this folder have more than ${targetsInAll} targets.`)
    if (effort.targets <= targetsPerEntity) return true
    place.error(`Its references have more than ${targetsPerEntity} targets; the others were left out.`)
    return false
  }
}
