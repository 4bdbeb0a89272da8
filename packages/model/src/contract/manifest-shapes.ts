import * as z from 'zod'
import { configurationSchema, generateTypes, completeConfigurationSchema } from '../configuration.ts'
import { entityReferenceSchema } from '../entity-attribute.ts'
import { requestSchemasOf, schemasOf } from '../fields/field.ts'
import { manifestFields } from '../fields/manifest.ts'
import { defaults } from '../limits.ts'
import { memberTypes } from '../manifest.ts'
import { asAnswered, derived, oneField, sentNames } from './request-fields.ts'
import { idSchema, optionalIdSchema } from './shared.ts'

/** Case-insensitive. */
export const memberTypeSchema = z
  .string()
  .transform(text => text.toUpperCase())
  .pipe(z.enum(memberTypes))

const { importsPath: _stored, ...ownAnswerFields } = schemasOf(manifestFields)

export const manifestAnswer = z.object({
  id: z.number().int(),
  ...ownAnswerFields,
  path: z.string(),
  entityPaths: z.array(entityReferenceSchema.extend({ type: z.enum(memberTypes) })),
  subManifestPaths: z.array(entityReferenceSchema),
  parentManifestId: z.number().int(),
  isDefault: z.boolean(),
  versions: z.array(z.string()),
  latestVersion: z.string(),
  currentVersion: z.string(),
  relationships: z.array(
    z.object({
      fromEntity: z.string(),
      fromEntityAttribute: z.string(),
      toEntity: z.string(),
      toEntityAttribute: z.string(),
    }),
  ),
  /** As returned by the configuration call, without secrets. */
  configuration: configurationSchema,
})
export type ManifestAnswer = z.output<typeof manifestAnswer>

export const manifestEnvelope = z.object({ manifest: manifestAnswer })

const lists = 'Read-only: 400 if ids, types or order differ from base and current state. Ignored with `If-Match: *`.'
const settings =
  'Read-only: 400 unless it is the current configuration or one before its last 20 saves. Ignored with `If-Match: *`.'
const {
  name: _name,
  importsPath: _imports,
  enumerations: _enumerations,
  dataSteps: _dataSteps,
  ...ownRequestFields
} = requestSchemasOf(manifestFields)

export const manifestAsAnswered = {
  id: asAnswered,
  ...ownRequestFields,
  enumerations: asAnswered,
  dataSteps: asAnswered,
  path: derived(manifestAnswer.shape.path),
  entityPaths: derived(manifestAnswer.shape.entityPaths).describe(lists),
  subManifestPaths: derived(manifestAnswer.shape.subManifestPaths).describe(lists),
  parentManifestId: derived(manifestAnswer.shape.parentManifestId),
  isDefault: asAnswered,
  versions: derived(manifestAnswer.shape.versions),
  latestVersion: derived(manifestAnswer.shape.latestVersion),
  currentVersion: derived(manifestAnswer.shape.currentVersion),
  relationships: derived(manifestAnswer.shape.relationships),
  configuration: derived(manifestAnswer.shape.configuration).describe(settings),
}

/** Rename body. A manifest as returned by GET fits too. */
export const manifestUpdate = z
  .strictObject({
    manifestName: z.string().optional().describe('Absent: unchanged.'),
    manifest: z
      .strictObject({
        name: z.string().optional().describe('Alias of `manifestName`.'),
        ...manifestAsAnswered,
      })
      .prefault({}),
  })
  .transform(({ manifestName, manifest }, context) => ({
    manifest,
    manifestName: oneField(context, { manifestName, 'manifest.name': manifest.name }),
    sentAs: sentNames({ manifestName: { manifestName, 'manifest.name': manifest.name } }),
  }))

export type ManifestUpdate = z.output<typeof manifestUpdate>

/** Body of a plain creation. */
export const manifestRequest = z.strictObject({
  manifestName: z.string(),
  description: z.string().max(20_000).default(''),
  importsPath: z
    .union([z.string().transform(path => (path === '' ? [] : [path])), z.array(z.string().max(4000)).max(10_000)])
    .default([]),
  entities: z.array(idSchema).max(10_000).default([]),
  exclusiveEntities: z.array(z.string()).max(10_000).default([]),
  subManifests: z.array(idSchema).max(10_000).default([]),
})

/** Creation body of document 2 §3. */
export const manifestWizardRequest = manifestRequest.extend({
  duplicateManifest: optionalIdSchema,
  manifestProperties: completeConfigurationSchema.nullish(),
  version: z.string().max(100).default(defaults.version),
  generateType: z.enum(generateTypes).default('Manifest'),
  type: z.literal('EXCLUSIVE').default('EXCLUSIVE'),
})
export type ManifestWizardRequest = z.output<typeof manifestWizardRequest>
