import type { Comparison, EntityComparison } from '../contract/comparison.ts'
import type { Configuration } from '../configuration.ts'
import type { ResolvedModel } from '../resolved-model.ts'

/** A state of a manifest, as compared. `configuration` is undefined if none was saved. */
export type ComparedModel = { resolvedModel: ResolvedModel; configuration: Configuration | undefined }

/** The differences of two states, without the names of the sides. */
export type ModelDifferences = Omit<Comparison, 'before' | 'after' | 'more' | 'entities'> & {
  entities: EntityComparison[]
}
