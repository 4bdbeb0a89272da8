import * as z from 'zod'
import type { ModelSource } from '../resolved-model.ts'
import { configurationSchema } from '../configuration.ts'
import { entityContentSchema } from '../entity.ts'
import { manifestContentSchema } from '../manifest.ts'

/** Format version of `resources/cadmus/model.json`. */
export const packageModelFormat = 1

/**
 * `resources/cadmus/model.json`: everything an instance needs to run a package. Ids are local, from 1 in the order of the resolved model,
 * so that equal models give equal bytes; `uid`s are the model's. The configuration contains no secrets.
 */
export const packageModelSchema = z.object({
  format: z.literal(packageModelFormat),
  package: z.string(),
  version: z.string(),
  manifestVersion: z.string(),
  root: z.number().int(),
  manifests: z.array(manifestContentSchema.extend({ id: z.number().int(), path: z.string() })),
  /** Members, their ancestors, and targets of relationships outside. */
  entities: z.array(entityContentSchema.extend({ id: z.number().int(), path: z.string() })),
  configuration: configurationSchema,
})
export type PackageModel = z.infer<typeof packageModelSchema>

/** The package's model as a source for `closureOf`. */
export function sourceOfPackage({ manifests, entities }: PackageModel): ModelSource {
  return {
    manifests: new Map(manifests.map(manifest => [manifest.id, manifest])),
    entities: new Map(entities.map(entity => [entity.id, entity])),
  }
}
