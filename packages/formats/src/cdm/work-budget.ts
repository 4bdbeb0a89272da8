import { ImportError } from '../import-error.ts'
import { bounds } from './bounds.ts'
import type { Context, Task } from './task.ts'

/**
 * Limits the work for a folder and for each entity, because nested groups and mutual inclusion can grow
 * exponentially.
 */
export class WorkBudget {
  #steps = 0
  #targets = 0

  /**
   * Counts `count` more attributes and returns whether resolving may continue. Reports once that attributes are left
   * out; throws ImportError at the limit of the folder.
   */
  canContinue({ budget }: Task, { place }: Context, count = 1): boolean {
    const before = budget.steps
    this.#steps += count
    budget.steps += count
    const { attributesInAll, attributesPerEntity } = bounds
    if (this.#steps > attributesInAll)
      throw new ImportError('too-large', `The entities of this folder have more than ${attributesInAll} attributes.`)
    if (before < attributesPerEntity && budget.steps >= attributesPerEntity) {
      place.error(`It has more than ${attributesPerEntity} attributes; the others were left out.`)
    }
    return budget.steps < attributesPerEntity
  }

  /** Counts reference targets in the same way. */
  canAddTargets(count: number, { budget }: Task, { place }: Context): boolean {
    this.#targets += count
    budget.targets += count
    const { targetsInAll, targetsPerEntity } = bounds
    if (this.#targets > targetsInAll)
      throw new ImportError('too-large', `The references of this folder have more than ${targetsInAll} targets.`)
    if (budget.targets <= targetsPerEntity) return true
    place.error(`Its references have more than ${targetsPerEntity} targets; the others were left out.`)
    return false
  }
}
