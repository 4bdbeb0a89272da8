import * as z from 'zod'
import type { ModelSource } from '../resolved-model.ts'
import { configurationForm } from '../configuration.ts'
import { entityForm, manifestForm } from '../content.ts'
import { embedded } from '../stored/nested-forms.ts'
import type { StoredForm } from '../stored/stored-form.ts'

/** Format version of `resources/cadmus/model.json`. */
export const packageModelFormat = 1

const nodeSchema = z.object({ id: z.number().int(), path: z.string() })

/**
 * `resources/cadmus/model.json`: everything an instance needs to run a package. Ids are local, from 1 in the order of the resolved model,
 * so that equal models give equal bytes; `uid`s are the model's. The configuration contains no secrets.
 */
const packageModelSchema = z.object({
  format: z.literal(packageModelFormat),
  package: z.string(),
  version: z.string(),
  manifestVersion: z.string(),
  root: z.number().int(),
  manifests: z.array(z.intersection(embedded(manifestForm), nodeSchema)),
  /** Members, their ancestors, and targets of relationships outside. */
  entities: z.array(z.intersection(embedded(entityForm), nodeSchema)),
  configuration: embedded(configurationForm),
})
export type PackageModel = z.infer<typeof packageModelSchema>

export const packageModelForm: StoredForm<PackageModel> = {
  name: 'package model',
  format: packageModelFormat,
  schema: packageModelSchema,
  upgrades: {},
}

/** The package's model as a source for `resolveModel`. */
export function sourceOfPackage({ manifests, entities }: PackageModel): ModelSource {
  return {
    manifests: new Map(manifests.map(manifest => [manifest.id, manifest])),
    entities: new Map(entities.map(entity => [entity.id, entity])),
  }
}
